/** What an auditor keeps elsewhere: the id of the hub's key, and an earlier checkpoint. */
import { createPublicKey } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type AuditCheckpoint, AuditCheckpointSchema } from "@baton/contract/forms";
import { type ExportOptions, keyIdOf, keyIdPattern, readCheckpoint } from "@baton/kernel/audit";
import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { CliError } from "../errors/cli-error.ts";
import { exportTools } from "./export-tools.ts";
import { readLines, readSmall } from "./read-file.ts";

export interface PinOptions {
  readonly key?: readonly string[];
  readonly checkpoint?: string;
}

export function readPins({ key, checkpoint }: PinOptions): ExportOptions {
  return {
    ...(key && { trusted: key.map(readKey) }),
    ...(checkpoint !== undefined && { kept: readKept(checkpoint) }),
  };
}

export function isFolder(path: string | undefined): path is string {
  return path !== undefined && (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false);
}

/** An id, a file that names one (as `baton audit key` writes it), or a public key in PEM. */
function readKey(given: string): string {
  if (keyIdPattern.test(given)) return given;
  const text = readSmall(given);
  if (text.includes("BEGIN PUBLIC KEY")) return idOfPem(text, given);
  const [named] = /ed25519:[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/.exec(text) ?? [];
  if (named !== undefined) return named;
  throw noKey(given);
}

function idOfPem(pem: string, given: string): string {
  try {
    const { x } = createPublicKey(pem).export({ format: "jwk" });
    return keyIdOf(Buffer.from(x ?? "", "base64url"), exportTools.digest);
  } catch {
    throw noKey(given);
  }
}

function noKey(given: string): CliError {
  return new CliError("BATON-CLI-002", `"${given}" is no key of a hub, and no file that holds one`, {
    at: "--key",
    fix: "give the id that baton audit key shows, such as ed25519:…, or a file with its output",
  });
}

/** What `baton audit checkpoint --out` has written, or the newest checkpoint of an export. */
export function readKept(path: string): AuditCheckpoint {
  let found: AuditCheckpoint | undefined;
  readLines(path, (line) => {
    const text = exportTools.readText(line);
    if (text.startsWith('{"entry"')) return false;
    found = readCheckpoint(text) ?? found;
    return true;
  });
  found ??= readAnswer(path);
  if (found !== undefined) return found;
  throw new CliError("BATON-CLI-002", "the file holds no checkpoint", {
    at: path,
    fix: "name what baton audit checkpoint --out has written, or an export",
  });
}

/** The newest checkpoint of every tenant in the folder that a hub copies its checkpoints to. */
export function readKeptFolder(folder: string): readonly AuditCheckpoint[] {
  const newest = new Map<string, AuditCheckpoint>();
  for (const name of readdirSync(folder).filter((one) => one.endsWith(".json"))) {
    const one = readAnswer(join(folder, name));
    const known = one && newest.get(one.tenantId);
    if (one && (known === undefined || known.sequence < one.sequence)) newest.set(one.tenantId, one);
  }
  if (newest.size > 0) return [...newest.values()];
  throw new CliError("BATON-CLI-002", "the folder holds no checkpoint", {
    at: folder,
    fix: "name the folder of audit.checkpoints, or a file that baton audit checkpoint --out has written",
  });
}

/** Reads the hub's answer, or the checkpoint alone. */
function readAnswer(path: string): AuditCheckpoint | undefined {
  try {
    const value: unknown = JSON.parse(readSmall(path));
    const inner = typeof value === "object" && value !== null ? Reflect.get(value, "checkpoint") : undefined;
    const checkpoint = fromJson(AuditCheckpointSchema, (inner ?? value) as JsonValue);
    return checkpoint.sequence > 0n ? checkpoint : undefined;
  } catch {
    return undefined;
  }
}
