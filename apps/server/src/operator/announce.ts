import { chmodSync, lstatSync, mkdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

/**
 * Writes a file by which the command line of the same user finds the token of the hub at a port. The file contains no
 * secret. docs/reference/server.md describes it.
 */
export function announceHub(note: {
  readonly grpc: string;
  readonly http: string;
  readonly tokenFile: string;
}): () => void {
  // Another hub may remove the folder at its exit while this one writes to it.
  for (let tries = 0; tries < 3; tries++) {
    const folder = ownRuntimeFolder();
    if (folder === undefined) break;
    const path = join(folder, `hub-${new URL(note.grpc).port}.json`);
    try {
      const draft = `${path}.${process.pid}`;
      writeFileSync(draft, `${JSON.stringify({ pid: process.pid, ...note })}\n`, { mode: 0o600 });
      renameSync(draft, path);
      return () => removeNote(folder, path);
    } catch {}
  }
  return () => {}; // Then users name the token file with --api-key-file.
}

function removeNote(folder: string, path: string): void {
  try {
    rmSync(path, { force: true });
    rmdirSync(folder);
  } catch {} // Notes of other hubs are in it.
}

/** A private folder; undefined when another user owns it. */
function ownRuntimeFolder(): string | undefined {
  const { uid } = userInfo();
  const folder = process.env.XDG_RUNTIME_DIR
    ? join(process.env.XDG_RUNTIME_DIR, "baton")
    : join(process.platform === "win32" ? tmpdir() : "/tmp", `baton-${uid}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = lstatSync(folder);
    if (!found.isDirectory() || (uid >= 0 && found.uid !== uid)) return undefined;
    if (uid >= 0 && (found.mode & 0o077) !== 0) chmodSync(folder, 0o700);
    return folder;
  } catch {
    return undefined;
  }
}
