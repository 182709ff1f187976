import { lstatSync, readFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { limits } from "../limits.ts";
import { isLoopback } from "./address.ts";

/** A hub on this machine, as it announces itself to programs of the same user. */
export interface LocalHub {
  /** The address of its page. */
  readonly http: string;
  readonly token: string;
}

/**
 * The hub of this user that listens at an address of this machine, with its operator token; undefined when there is none, or
 * when it has keys. The server writes a file into a folder that only this user can write to (docs/reference/server.md).
 */
export function findLocalHub(address: URL): LocalHub | undefined {
  if (!isLoopback(address)) return undefined;
  try {
    const { uid } = userInfo();
    const runtime = process.env.XDG_RUNTIME_DIR;
    const temporary = process.platform === "win32" ? tmpdir() : "/tmp"; // Not TMPDIR: terminals may differ in it.
    const folder = runtime ? join(runtime, "baton") : join(temporary, `baton-${uid}`);
    const found = lstatSync(folder);
    if (!found.isDirectory() || (uid >= 0 && found.uid !== uid)) return undefined;
    const note = JSON.parse(readSmall(join(folder, `hub-${address.port || 80}.json`)));
    process.kill(note.pid, 0); // Throws when the process is gone: another program listens there now.
    return { http: String(note.http), token: readSmall(note.tokenFile).trim() };
  } catch {
    return undefined;
  }
}

/** The operator token in a file that a server has named. */
export function readOperatorToken(file: string | undefined): string | undefined {
  return file === undefined ? undefined : readSmall(file).trim();
}

function readSmall(path: string): string {
  if (lstatSync(path).size > limits.keyFileBytes) throw new Error(`${path} is too large`);
  return readFileSync(path, "utf8");
}
