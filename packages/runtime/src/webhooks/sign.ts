/** Signatures of the Standard Webhooks specification: v1 is HMAC with SHA-256, v1a is Ed25519. */
import { createHmac, createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";

export type WebhookKey =
  | { readonly kind: "hmac"; readonly secret: Uint8Array }
  | { readonly kind: "ed25519"; readonly privateKey: KeyObject; readonly publicKey: string };

const prefixes = { hmac: "whsec_", ed25519: "whsk_", published: "whpk_" } as const;
const secretBytes = { least: 24, most: 64 } as const;
const seedBytes = 32;

/** What PKCS #8 writes before the seed of an Ed25519 key. */
const pkcs8Head = Buffer.from("302e020100300506032b657004220420", "hex");

/** Throws with a message that does not contain the secret. */
export function parseKey(text: string): WebhookKey {
  if (text.startsWith(prefixes.hmac)) {
    const secret = fromBase64(text.slice(prefixes.hmac.length));
    if (secret.length < secretBytes.least || secret.length > secretBytes.most)
      throw new Error(
        `the secret must be whsec_ and ${secretBytes.least} to ${secretBytes.most} bytes in base64`,
      );
    return { kind: "hmac", secret };
  }
  if (text.startsWith(prefixes.ed25519)) {
    const bytes = fromBase64(text.slice(prefixes.ed25519.length));
    // Some libraries write the public half behind the seed.
    if (bytes.length !== seedBytes && bytes.length !== 2 * seedBytes)
      throw new Error("the key must be whsk_ and the 32 bytes of an Ed25519 seed in base64");
    const der = Buffer.concat([pkcs8Head, bytes.subarray(0, seedBytes)]);
    const privateKey = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
    const published = createPublicKey(privateKey)
      .export({ format: "der", type: "spki" })
      .subarray(-seedBytes);
    return { kind: "ed25519", privateKey, publicKey: prefixes.published + published.toString("base64") };
  }
  throw new Error("the secret must begin with whsec_ (HMAC) or whsk_ (Ed25519)");
}

/** The header webhook-signature: one signature for each key, separated by spaces. */
export function signatures(
  keys: readonly WebhookKey[],
  id: string,
  timestampSec: number,
  body: Uint8Array,
): string {
  const signed = Buffer.concat([Buffer.from(`${id}.${timestampSec}.`), body]);
  return keys
    .map((key) =>
      key.kind === "hmac"
        ? `v1,${createHmac("sha256", key.secret).update(signed).digest("base64")}`
        : `v1a,${sign(null, signed, key.privateKey).toString("base64")}`,
    )
    .join(" ");
}

function fromBase64(text: string): Buffer {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? Buffer.from(text, "base64") : Buffer.alloc(0);
}
