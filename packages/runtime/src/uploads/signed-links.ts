import { createHmac, timingSafeEqual } from "node:crypto";
import { UploadError } from "./upload-error.ts";

/** What a signed address gives access to. */
export interface Link {
  /** The folder of the tenant. */
  readonly owner: string;
  readonly id: string;
  readonly expiresAtMs: number;
}

/** Path and query of an address. The parameters have short names, so that the redactor takes none for a secret of somebody else. */
export function signLink(key: Uint8Array, { owner, id, expiresAtMs }: Link): string {
  const expires = Math.floor(expiresAtMs / 1_000);
  return `/uploads/${id}?o=${owner}&e=${expires}&s=${proofOf(key, owner, id, expires)}`;
}

/** Throws `UploadError` for an address that was not signed with this key, or has expired. */
export function checkLink(key: Uint8Array, id: string, query: URLSearchParams, nowMs: number): Link {
  const [owner = "", expires = "", proof = ""] = ["o", "e", "s"].map((name) => query.get(name) ?? "");
  const isNumber = /^\d{1,12}$/.test(expires);
  const expected = Buffer.from(proofOf(key, owner, id, Number(expires)));
  const given = Buffer.from(proof);
  if (!isNumber || given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new UploadError(
      "BATON-UPLOAD-004",
      "the signature of this address is wrong",
      "use the address as it was given, or send a key of the tenant in the header authorization",
    );
  const expiresAtMs = Number(expires) * 1_000;
  if (nowMs >= expiresAtMs)
    throw new UploadError(
      "BATON-UPLOAD-005",
      "this address has expired",
      "send a key of the tenant in the header authorization, or upload the content again for a new address",
    );
  return { owner, id, expiresAtMs };
}

function proofOf(key: Uint8Array, owner: string, id: string, expires: number): string {
  // No part can contain a line feed.
  return createHmac("sha256", key).update(`${owner}\n${id}\n${expires}`).digest("hex").slice(0, 32);
}
