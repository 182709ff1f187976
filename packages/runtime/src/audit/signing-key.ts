/** The key that a hub signs the states of its record with (OBS-04). Its secret half never leaves this file. */
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
import { StoreUnavailable } from "../ports/store-error.ts";
import { codeOf } from "../stores/sqlite/errors.ts";
import { makeDirectory, syncDirectory } from "../stores/sqlite/files.ts";

export interface SigningKey {
  readonly keyId: string;
  readonly publicKey: PublicKey;
  sign(bytes: Uint8Array): Uint8Array;
}

/** As text, and from there into pooled memory: a buffer of its own costs more than the hash. */
export const sha256: Digest = (bytes) => Buffer.from(hash("sha256", bytes, "binary"), "latin1");

/** Where the key of a data folder is. */
export function keyFileOf(directory: string): string {
  return join(directory, "audit.key");
}

/** For the life of a process: what it signs can be checked with the exports of that process alone. */
export function makeSigningKey(): SigningKey {
  return signingKey(generateKeyPairSync("ed25519").privateKey);
}

/** The key of a data folder, made when there is none. Throws `StoreUnavailable` for a file that is no such key. */
export function openSigningKey(directory: string): SigningKey {
  const path = keyFileOf(directory);
  const { privateKey } = generateKeyPairSync("ed25519");
  try {
    makeDirectory(directory);
    // "wx" makes it or fails, so two hubs never have two keys.
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
  } catch {} // What OpenSSL says of it might quote it.
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

/** Keys come in as 32 bytes; OpenSSL wants them in a form that names the curve. Those that came last are kept. */
const known = new Map<string, KeyObject>();
const mostKnown = 64;

export const checkSignature: CheckSignature = (publicKey, bytes, signature) => {
  try {
    const x = Buffer.from(publicKey).toString("base64url");
    const key = known.get(x) ?? createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    if (known.size >= mostKnown) known.clear();
    known.set(x, key);
    return verify(null, bytes, key, signature);
  } catch {
    return false; // Not a point of the curve, so nothing is signed with it.
  }
};

function unusable(path: string, why: string, cause?: unknown): StoreUnavailable {
  return new StoreUnavailable("BATON-STORE-009", `the hub's key ${path} cannot be used: ${why}`, {
    fix: "put the file back from a backup; if it is lost, move it away: the hub makes a new key, and auditors have to be told its id",
    mayPass: false,
    ...(cause === undefined ? {} : { cause }),
  });
}
