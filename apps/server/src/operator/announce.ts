import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
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
  const folder = ownRuntimeFolder();
  if (folder === undefined) return () => {};
  const path = join(folder, `hub-${new URL(note.grpc).port}.json`);
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify({ pid: process.pid, ...note })}\n`, { mode: 0o600 });
  renameSync(draft, path);
  return () => rmSync(path, { force: true });
}

/** For this user alone; undefined when somebody else has made it. */
export function ownRuntimeFolder(): string | undefined {
  const { uid } = userInfo();
  const folder = process.env.XDG_RUNTIME_DIR
    ? join(process.env.XDG_RUNTIME_DIR, "baton")
    : join(tmpdir(), `baton-${uid}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = lstatSync(folder);
    if (!found.isDirectory() || (uid >= 0 && found.uid !== uid)) return undefined;
    if (uid >= 0 && (found.mode & 0o077) !== 0) chmodSync(folder, 0o700);
    return folder;
  } catch {
    return undefined; // Then the token has to be named: --api-key-file.
  }
}
