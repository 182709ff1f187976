import { hash } from "node:crypto";
import type { Content } from "../../../ports/store.ts";
import { type PackedContents, unpackContents } from "./packed-contents.ts";

/** Whether a content matches its digest. */
export function isWhole({ digest, bytes }: Content): boolean {
  return digest === hash("sha256", bytes, "base64url");
}

/** Whether all contents of a journal row match. */
export function areWhole(open: () => PackedContents): boolean {
  try {
    return unpackContents(open()).every(isWhole);
  } catch {
    return false;
  }
}
