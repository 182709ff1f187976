import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A temporary folder. */
export function makeScratch(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "baton-store-"));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
