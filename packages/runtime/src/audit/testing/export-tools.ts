/** Node's implementation of the functions that verify an export. */
import { createHash } from "node:crypto";
import type { ExportTools } from "@baton/kernel/audit";
import { checkSignature, sha256 } from "../signing-key.ts";

export const exportTools: ExportTools = {
  digest: sha256,
  startDigest: () => {
    const sum = createHash("sha256");
    return { add: (bytes) => void sum.update(bytes), end: () => sum.digest() };
  },
  checkSignature,
  readText: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8"),
  readBase64: (text) => {
    const bytes = Buffer.from(text, "base64");
    return bytes.toString("base64") === text ? bytes : undefined;
  },
};
