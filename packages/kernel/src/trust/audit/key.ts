/** Keys that checkpoints are signed with (Ed25519). What is kept secret is the shell's; the public half is for everyone. */
import { base64Encode } from "@bufbuild/protobuf/wire";
import type { VerifySignature } from "./checkpoint.ts";
import type { Digest } from "./digest.ts";

/** 32 bytes. */
export type PublicKey = Uint8Array;

export const keyIdPattern = /^ed25519:[A-Za-z0-9_-]{43}$/;

/** Names a key by its own digest, so whoever knows the name can tell any other key from it. */
export function keyIdOf(publicKey: PublicKey, digest: Digest): string {
  return `ed25519:${base64Encode(digest(publicKey), "url")}`;
}

/** Whether a key has made a signature of Ed25519. */
export type CheckSignature = (publicKey: PublicKey, bytes: Uint8Array, signature: Uint8Array) => boolean;

/** Believes these keys and no others. */
export function believeKeys(keys: ReadonlyMap<string, PublicKey>, check: CheckSignature): VerifySignature {
  return (bytes, signature, keyId) => {
    const key = keys.get(keyId);
    return key !== undefined && check(key, bytes, signature);
  };
}
