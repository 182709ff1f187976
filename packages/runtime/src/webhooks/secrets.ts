import { readFileSync } from "node:fs";
import type { SecretSource } from "@baton/kernel";

export type ReadSecret = (source: SecretSource) => string;

/** Longer files hold no secret. */
const maxBytes = 4_096;

/** Reads secrets when they are needed, so that a replaced file takes effect at once. Errors name the place only. */
export function secretReader(env: Readonly<Record<string, string | undefined>>): ReadSecret {
  return (source) => {
    const text = "env" in source ? env[source.env] : readShort(source.file);
    if (text === undefined || text.trim() === "" || text.length > maxBytes)
      throw new Error(`no secret in ${nameOf(source)}`);
    return text.trim();
  };
}

export function nameOf(source: SecretSource): string {
  return "env" in source ? `the variable ${source.env}` : `the file ${source.file}`;
}

function readShort(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
