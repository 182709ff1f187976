import { readFileSync, statSync } from "node:fs";
import { CliError } from "../errors/cli-error.ts";
import { limits } from "../limits.ts";

/** Visible ASCII without spaces, as a header can carry it. */
const usable = /^[\x21-\x7e]+$/;

/** The key from a file or the environment. Arguments are visible to all users, so no option takes it. */
export function readApiKey(
  file: string | undefined,
  fromEnvironment: string | undefined,
): string | undefined {
  const [key, source] =
    file === undefined ? [fromEnvironment?.trim(), "BATON_API_KEY"] : [readKeyFile(file), file];
  if (key === undefined || (key === "" && file === undefined)) return undefined;
  if (usable.test(key)) return key;
  throw new CliError("BATON-CLI-007", `${source} does not hold a key`, {
    fix: "it should hold the key alone, in one line",
  });
}

function readKeyFile(file: string): string {
  try {
    const { size } = statSync(file);
    if (size > limits.keyFileBytes) throw new Error(`it has ${size} bytes, too many for a key`);
    return readFileSync(file, "utf8").trim();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CliError("BATON-CLI-007", `the key file cannot be read: ${reason}`, {
      fix: "name a file that you may read with --api-key-file",
      cause,
    });
  }
}
