/** Node's cryptography for the verifier in the kernel. */
import { createHash, createPublicKey, hash, type KeyObject, verify } from "node:crypto";
import type { CheckSignature, ExportTools } from "@baton/kernel/audit";

/** Parsed keys: OpenSSL needs a form that names the curve. A file has very few keys. */
const keys = new Map<string, KeyObject>();

const checkSignature: CheckSignature = (publicKey, bytes, signature) => {
  try {
    const x = Buffer.from(publicKey).toString("base64url");
    const key = keys.get(x) ?? createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    keys.set(x, key);
    return verify(null, bytes, key, signature);
  } catch {
    return false; // Not a point of the curve, so no signature is valid.
  }
};

export const exportTools: ExportTools = {
  // Via text into pooled memory: allocating a buffer costs more than the hash.
  digest: (bytes) => Buffer.from(hash("sha256", bytes, "binary"), "latin1"),
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
