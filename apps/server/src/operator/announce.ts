import { chmodSync, lstatSync, mkdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

/**
 * Tells the command line of the same user which hub listens at a port and where its token is, so that nobody has to name
 * the file. The note has no secret in it. docs/reference/server.md describes folder and file.
 */
export function announceHub(note: {
  readonly grpc: string;
  readonly http: string;
  readonly tokenFile: string;
}): () => void {
  // Another hub that ends may remove the folder while this one writes to it.
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
  return () => {}; // Then the token has to be named: --api-key-file.
}

function removeNote(folder: string, path: string): void {
  try {
    rmSync(path, { force: true });
    rmdirSync(folder);
  } catch {} // Notes of other hubs are in it.
}

/** For this user alone; undefined when somebody else has made it. */
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
