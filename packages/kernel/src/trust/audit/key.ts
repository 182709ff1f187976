/** Public keys of checkpoint signatures (Ed25519). The caller holds the private keys. */
import { base64Encode } from "@bufbuild/protobuf/wire";
import type { VerifySignature } from "./checkpoint.ts";
import type { Digest } from "./digest.ts";

/** 32 bytes. */
export type PublicKey = Uint8Array;

export const keyIdPattern = /^ed25519:[A-Za-z0-9_-]{43}$/;

/** The id of a key is its digest, so that the id identifies the key. */
export function keyIdOf(publicKey: PublicKey, digest: Digest): string {
  return `ed25519:${base64Encode(digest(publicKey), "url")}`;
}

/** Verifies an Ed25519 signature. */
export type CheckSignature = (publicKey: PublicKey, bytes: Uint8Array, signature: Uint8Array) => boolean;

/** Trusts only the given keys. */
export function trustKeys(keys: ReadonlyMap<string, PublicKey>, check: CheckSignature): VerifySignature {
  return (bytes, signature, keyId) => {
    const key = keys.get(keyId);
    return key !== undefined && check(key, bytes, signature);
  };
}
