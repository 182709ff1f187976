import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A temporary folder for the time of one function. */
export async function withScratch<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "baton-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  // An interrupted command exits without coming back here.
  process.once("exit", remove);
  try {
    return await use(folder);
  } finally {
    process.off("exit", remove);
    remove();
  }
}
