import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { getTextEncoding } from "@bufbuild/protobuf/wire";
import canonicalize from "canonicalize";
import type { Digest } from "../../trust/audit/digest.ts";
import { essenceOf } from "./essence.ts";

/** What a governed task is identified by (SAP V2 §6). The tenant is part of it: an outcome never crosses tenants. */
export interface CacheSubject {
  readonly tenantId: string;
  readonly sapVersion: string;
  readonly capability: string;
  readonly territory: string;
  readonly principles: readonly string[];
  readonly constraints: readonly string[];
  readonly riskTolerance: string;
  readonly payload: JsonObject;
  readonly outputContract: JsonObject;
}

/** Both are SHA-256 in hexadecimal digits. */
export interface CacheIdentity {
  readonly key: string;
  /** Of the essence of the payload alone. */
  readonly fingerprint: string;
}

/**
 * The identity of a task: a digest over canonical JSON (RFC 8785). Principles and constraints are sets: their order does not
 * matter. Undefined for content that has no canonical form, which text with half a surrogate pair has not.
 */
export function cacheIdentity(
  { payload, principles, constraints, ...subject }: CacheSubject,
  pointers: readonly string[],
  digest: Digest,
): CacheIdentity | undefined {
  const essence = essenceOf(payload, pointers);
  try {
    const named = { ...subject, principles: setOf(principles), constraints: setOf(constraints), essence };
    return { key: digestOf(named, digest), fingerprint: digestOf(essence, digest) };
  } catch {
    return undefined;
  }
}

/** SHA-256 over the canonical JSON of a value, in hexadecimal digits. */
export function digestOf(value: JsonValue, digest: Digest): string {
  return hexOf(digest(getTextEncoding().encodeUtf8(canonicalize(value) ?? "")));
}

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function setOf(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}
