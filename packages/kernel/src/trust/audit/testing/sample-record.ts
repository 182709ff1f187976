/** Records for tests. Digest and signature are arguments, as in the hub. */
import {
  ActorType,
  type AuditCheckpoint,
  type AuditEntry,
  AuditEntrySchema,
  AuditEventType,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import { checkpointBytes, entryBytes } from "../canonical/canonical.ts";
import { chainEntries, emptyChain } from "../chain.ts";
import { makeCheckpoint } from "../checkpoint.ts";
import type { Digest } from "../digest.ts";
import { appendLeaf, emptyFrontier, type Frontier } from "../merkle/frontier.ts";

export const tenantId = "acme";

export function sampleEntry(number: number, tenant = tenantId): AuditEntry {
  return create(AuditEntrySchema, {
    auditId: `audit-${number}`,
    eventType: AuditEventType.DISPATCH_DECISION,
    timestamp: { seconds: 1_700_000_000n + BigInt(number), nanos: 500_000_000 },
    protocolVersion: { schemaVersion: "1.0.0", policyVersion: "2024-05" },
    traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
    tenantId: tenant,
    pipelineId: `pipeline-${number % 7}`,
    stageId: "implement",
    dispatchId: `dispatch-${number}`,
    attemptNumber: 1 + (number % 3),
    packId: "senior-ts-dev",
    actor: { type: ActorType.ORCHESTRATOR, id: "hub-1" },
    action: "dispatch",
    rationale: "the only candidate with the tools the contract needs",
    snapshot: {
      snapshotPayload: {
        case: "dispatch",
        value: {
          selectedPackId: "senior-ts-dev",
          candidatePackIds: ["senior-ts-dev", "qa-engineer"],
          routingPolicyVersion: "7",
          candidates: [{ packId: "senior-ts-dev", eligible: true, rank: 1, reason: "least loaded" }],
        },
      },
    },
  });
}

export interface SampleRecord {
  readonly entries: readonly AuditEntry[];
  /** The tree after each number of entries, from none on. */
  readonly frontiers: readonly Frontier[];
}

export function sampleRecord(count: number, digest: Digest): SampleRecord {
  const plain = Array.from({ length: count }, (_, index) => sampleEntry(index + 1));
  const { entries } = chainEntries(emptyChain(tenantId), plain, digest);
  const frontiers = [emptyFrontier];
  for (const { entryHash } of entries) {
    frontiers.push(appendLeaf(frontiers.at(-1) ?? emptyFrontier, entryHash ?? new Uint8Array(), digest));
  }
  return { entries, frontiers };
}

/** A checkpoint of the first entries of a record, signed. */
export function checkpointAt(
  { entries, frontiers }: SampleRecord,
  sequence: number,
  digest: Digest,
  sign: (bytes: Uint8Array) => Uint8Array,
): AuditCheckpoint {
  const entryHash = entries[sequence - 1]?.entryHash;
  const head = { tenantId, sequence: BigInt(sequence), entryHash };
  const issuedAt = create(TimestampSchema, { seconds: 1_700_000_000n + BigInt(sequence) });
  const frontier = frontiers[sequence] ?? emptyFrontier;
  const checkpoint = makeCheckpoint(head, frontier, { issuedAt, keyId: "key-1" }, digest);
  return { ...checkpoint, signature: sign(checkpointBytes(checkpoint)) };
}

/** Forges an entry: changes it and recomputes its hash. */
export function rehash(entry: AuditEntry, change: Partial<AuditEntry>, digest: Digest): AuditEntry {
  const changed = { ...entry, ...change };
  return { ...changed, entryHash: digest(entryBytes(changed)) };
}
