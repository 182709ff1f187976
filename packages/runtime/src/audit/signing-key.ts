/** The key that signs the states of a hub's record (OBS-04). The private half stays in this file. */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type CheckSignature, type Digest, keyIdOf, type PublicKey } from "@baton/kernel/audit";
import { LRUCache } from "lru-cache";
import { StoreUnavailable } from "../ports/store-error.ts";
import { codeOf } from "../stores/sqlite/errors.ts";
import { makeDirectory, syncDirectory } from "../stores/sqlite/files.ts";

export interface SigningKey {
  readonly keyId: string;
  readonly publicKey: PublicKey;
  sign(bytes: Uint8Array): Uint8Array;
}

/** The detour over a string uses pooled memory; a buffer per hash costs more than the hash. */
export const sha256: Digest = (bytes) => Buffer.from(hash("sha256", bytes, "binary"), "latin1");

/** Path of the key of a data folder. */
export function keyFileOf(directory: string): string {
  return join(directory, "audit.key");
}

/** A temporary key: its signatures can be verified only with exports of the same process. */
export function makeSigningKey(): SigningKey {
  return signingKey(generateKeyPairSync("ed25519").privateKey);
}

/** Reads the key of a data folder, or creates it. Throws `StoreUnavailable` for an invalid file. */
export function openSigningKey(directory: string): SigningKey {
  const path = keyFileOf(directory);
  const { privateKey } = generateKeyPairSync("ed25519");
  try {
    makeDirectory(directory);
    // "wx" creates it or fails, so two hubs never have two keys.
    const file = openSync(path, "wx", 0o600);
    try {
      writeSync(file, String(privateKey.export({ type: "pkcs8", format: "pem" })));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    syncDirectory(directory);
    return signingKey(privateKey);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return readSigningKey(path);
    throw unusable(path, "it cannot be written", error);
  }
}

function readSigningKey(path: string): SigningKey {
  let pem: string;
  try {
    pem = readFileSync(path, "utf8");
  } catch (error) {
    throw unusable(path, "it cannot be read", error);
  }
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === "ed25519") return signingKey(key);
  } catch {} // OpenSSL's message might quote the key.
  throw unusable(path, "it is not a private key of Ed25519 in PEM");
}

function signingKey(privateKey: KeyObject): SigningKey {
  const publicKey = rawPublicKey(createPublicKey(privateKey));
  return {
    keyId: keyIdOf(publicKey, sha256),
    publicKey,
    sign: (bytes) => sign(null, bytes, privateKey),
  };
}

function rawPublicKey(key: KeyObject): PublicKey {
  const { x } = key.export({ format: "jwk" });
  if (typeof x !== "string") throw new TypeError("a key of Ed25519 has a point");
  return Buffer.from(x, "base64url");
}

/** Public keys are 32 bytes; OpenSSL needs a form that names the curve. Recent conversions are cached. */
const known = new LRUCache<string, KeyObject>({ max: 64 });

export const checkSignature: CheckSignature = (publicKey, bytes, signature) => {
  try {
    const x = Buffer.from(publicKey).toString("base64url");
    const key = known.get(x) ?? createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    known.set(x, key);
    return verify(null, bytes, key, signature);
  } catch {
    return false; // Not a point of the curve: no signature is valid.
  }
};

function unusable(path: string, reason: string, cause?: unknown): StoreUnavailable {
  return new StoreUnavailable("BATON-STORE-009", `the hub's key ${path} cannot be used: ${reason}`, {
    fix: "restore the file from a backup; if it is lost, move it away: the hub creates a new key, whose id auditors need",
    mayPass: false,
    ...(cause === undefined ? {} : { cause }),
  });
}
