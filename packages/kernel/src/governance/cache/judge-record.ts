import type { CacheRecord } from "@baton/contract";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { CacheTerms } from "./terms.ts";

/** Whether a stored outcome answers a task. */
export type CacheAnswer =
  | {
      readonly kind: "hit";
      readonly record: CacheRecord;
      readonly ageSec: number;
      /** Why its alignment is checked again first; undefined where it is not. */
      readonly recheck: string | undefined;
    }
  | { readonly kind: "miss"; readonly reason: string };

export interface Circumstances {
  readonly nowMs: number;
  /** When the task was submitted: an outcome that was stored since then is never too old. */
  readonly sinceMs: number;
  /** Of the constitution in force; empty without one. */
  readonly constitutionDigest: string;
}

/** Decides about the newest record of a key (SAP V2 §6). */
export function judgeRecord(
  terms: CacheTerms,
  record: CacheRecord | undefined,
  { nowMs, sinceMs, constitutionDigest }: Circumstances,
): CacheAnswer {
  if (!record) return miss("no outcome is stored");
  if (record.revocation) return miss(`the stored outcome is revoked: ${record.revocation.reason}`);
  const storedAtMs = record.storedAt ? timestampMs(record.storedAt) : 0;
  const ageMs = Math.max(0, nowMs - storedAtMs);
  const { maxAgeMs } = terms;
  if (maxAgeMs !== undefined && storedAtMs < sinceMs && ageMs >= maxAgeMs)
    return miss(`the stored outcome is ${seconds(ageMs)} s old, and the task accepts ${seconds(maxAgeMs)} s`);
  if (terms.packId !== "" && record.producer !== terms.packId)
    return miss("the stored outcome is of another pack than the task asks for");
  if (record.riskTier < terms.riskTier) return miss("the stored outcome was produced for a lower risk tier");
  return {
    kind: "hit",
    record,
    ageSec: seconds(ageMs),
    recheck: whyRecheck(terms, record, constitutionDigest),
  };
}

function whyRecheck(
  { mustAlign, level }: CacheTerms,
  { alignment }: CacheRecord,
  constitutionDigest: string,
): string | undefined {
  if (mustAlign) return "the task asks for it";
  if ((alignment?.constitutionDigest ?? "") !== constitutionDigest)
    return "the outcome was vetted under another constitution";
  if ((alignment?.effectiveLevel ?? 0) < level) return "the outcome was vetted at a lower level";
  return undefined;
}

function miss(reason: string): CacheAnswer {
  return { kind: "miss", reason };
}

function seconds(ms: number): number {
  return Math.floor(ms / 1_000);
}
