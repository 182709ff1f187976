/** A record of 24 entries, with helpers to tamper with it and to verify it. */
import { type AuditCheckpoint, type AuditEntry, AuditEntrySchema } from "@baton/contract";
import { toBinary } from "@bufbuild/protobuf";
import { type ChainVerdict, type VerifyOptions, verifyChain } from "../verify/chain-verifier.ts";
import type { FaultKind } from "../verify/fault.ts";
import { checkpointAt, type SampleRecord, sampleRecord, tenantId } from "./sample-record.ts";

export const count = 24;

export interface Verifying extends SampleRecord {
  readonly options: VerifyOptions;
  at(sequence: number): AuditEntry;
  checkpoint(sequence: number): AuditCheckpoint;
  verify(tampered: readonly AuditEntry[], more?: Partial<VerifyOptions>): ChainVerdict;
}

export function verifying(
  options: Omit<VerifyOptions, "tenantId">,
  sign: (bytes: Uint8Array) => Uint8Array,
): Verifying {
  const { digest } = options;
  const record = sampleRecord(count, digest);
  return {
    ...record,
    options: { ...options, tenantId },
    at: (sequence) => record.entries[sequence - 1] as AuditEntry,
    checkpoint: (sequence) => checkpointAt(record, sequence, digest, sign),
    verify: (tampered, more = {}) => {
      const all = { ...options, tenantId, ...more };
      const verdict = verifyChain(tampered, all);
      // Stored entries must give the same verdict without decoding.
      const stored = tampered.map((entry) => toBinary(AuditEntrySchema, entry));
      const [described, ofStored] = [verdict, verifyChain(stored, all)].map(textOf);
      if (described !== ofStored) throw new Error(`${ofStored} of the stored entries, and not ${described}`);
      return verdict;
    },
  };
}

function textOf(verdict: ChainVerdict): string {
  return JSON.stringify(verdict, (_, value) => {
    if (value instanceof Uint8Array) return value.join();
    if (typeof value === "object" && value?.type === "Buffer") return value.data.join();
    return typeof value === "bigint" ? String(value) : value;
  });
}

/** The expected verdict. */
export function bad(sequence: number, kind: FaultKind): object {
  return { valid: false, firstBadSequence: BigInt(sequence), kind };
}

/** A change to one field, for every kind of field. The hash is not updated. */
export const changes: readonly ((entry: AuditEntry) => AuditEntry)[] = [
  (entry) => ({ ...entry, rationale: `${entry.rationale}.` }),
  (entry) => ({ ...entry, eventType: entry.eventType + 1 }),
  (entry) => ({ ...entry, attemptNumber: entry.attemptNumber + 1 }),
  (entry) => ({ ...entry, sequence: entry.sequence + 3n }),
  (entry) => ({ ...entry, sequence: 0n }),
  (entry) => ({ ...entry, entryHash: new Uint8Array(32) }),
  (entry) => ({ ...entry, previousHash: new Uint8Array(32) }),
  ({ actor: _, ...entry }) => entry,
  ({ entryHash: _, ...entry }) => entry,
  ({ snapshot, ...entry }) => ({ ...entry, ...(snapshot && { snapshot: reverseCandidates(snapshot) }) }),
];

function reverseCandidates(snapshot: NonNullable<AuditEntry["snapshot"]>): typeof snapshot {
  const { snapshotPayload: payload } = snapshot;
  if (payload.case !== "dispatch") return snapshot;
  const value = { ...payload.value, candidatePackIds: payload.value.candidatePackIds.toReversed() };
  return { ...snapshot, snapshotPayload: { case: "dispatch", value } };
}
