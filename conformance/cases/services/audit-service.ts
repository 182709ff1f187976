/** The calls of AuditService. */
import type { JsonObject } from "@bufbuild/protobuf";
import { breaks, type Case, hollow, valid } from "../case.ts";
import { minimalEntry } from "../messages/audit.ts";
import { missing } from "../missing.ts";
import { epoch, finishedAt, hash } from "../parts.ts";
import { absent, patch } from "../patch.ts";

const checkpoint: JsonObject = { tenantId: "acme", entryHash: hash(4), rootHash: hash(5) };

const fullCheckpoint = patch(checkpoint, {
  sequence: "42",
  issued_at: finishedAt,
  key_id: "key-2026",
  signature: hash(6, 64),
});

const key: JsonObject = { keyId: "ed25519:key-2026", publicKey: hash(9) };

const proof: JsonObject = { entry: minimalEntry, proof: { checkpoint } };

const eventTypes = [
  "UNSPECIFIED",
  "PIPELINE_CREATED",
  "PIPELINE_COMPLETED",
  "PIPELINE_FAILED",
  "PIPELINE_PAUSED",
  "PIPELINE_RESUMED",
  "PIPELINE_ABORTED",
  "DISPATCH_DECISION",
  "DISPATCH_SENT",
  "DISPATCH_TIMEOUT",
  "DISPATCH_CANCELLED",
  "RESULT_RECEIVED",
  "RESULT_VALIDATED",
  "RESULT_INVALID",
  "GATE_PASSED",
  "GATE_FAILED",
  "GATE_REJECTED",
  "PIPELINE_REWOUND",
  "KEY_REFUSED",
  "CONFIGURATION_CHANGED",
  "RECORD_EXPORTED",
  "SANDBOX_DOWNGRADED",
  "TENANT_STOPPED",
  "TENANT_STARTED",
  "LIMITS_CHANGED",
  "STAGE_SKIPPED",
  "STAGE_OVERRIDDEN",
  "STAGE_CANCELLED",
  "TURN_REFUSED",
  "GUARDRAILS_CHECKED",
  "LABELS_CHANGED",
  "CACHE_ANSWERED",
  "CACHE_STORED",
  "KNOWLEDGE_CHANGED",
  "ALIGNMENT_CHECKED",
  "ALIGNMENT_DECIDED",
  "TOOL_CHANGED",
  "TOOL_ACCEPTED",
  "AGENT_QUARANTINED",
  "AGENT_RESTORED",
  "ESCALATION",
  "ESCALATION_RESOLVED",
];

export const auditServiceCases: readonly Case[] = [
  valid(
    "audit-checkpoint-minimal",
    "AuditCheckpoint",
    "A checkpoint of an empty record, not signed yet.",
    checkpoint,
  ),
  valid(
    "audit-checkpoint-full",
    "AuditCheckpoint",
    "A checkpoint in which every field is set.",
    fullCheckpoint,
  ),
  valid("audit-checkpoint-epoch", "AuditCheckpoint", "A checkpoint made at an instant with nothing in it.", {
    ...checkpoint,
    issuedAt: epoch,
  }),
  valid("list-audit-entries-request", "ListAuditEntriesRequest", "A page of the record.", {
    pageSize: 100,
    pageToken: "after:41",
    filter: 'pipeline_id = "p-1" AND event_type = AUDIT_EVENT_TYPE_GATE_REJECTED',
    orderBy: "sequence desc",
  }),
  valid("list-audit-entries-response", "ListAuditEntriesResponse", "Entries of every type of event.", {
    entries: eventTypes.map((type, index) => ({
      auditId: `audit-${index + 1}`,
      eventType: `AUDIT_EVENT_TYPE_${type}`,
      sequence: `${index + 1}`,
    })),
    nextPageToken: "after:21",
  }),
  valid("get-audit-proof-request", "GetAuditProofRequest", "An entry to prove.", { auditId: "audit-1" }),
  valid(
    "get-audit-proof-response",
    "GetAuditProofResponse",
    "An entry and the hashes that lead to a checkpoint.",
    {
      entry: minimalEntry,
      proof: { leafIndex: "41", hashes: [hash(7), hash(8)], checkpoint: fullCheckpoint },
      key,
    },
  ),
  valid("get-audit-proof-response-empty", "GetAuditProofResponse", "There is no such entry.", {}),
  valid("verify-audit-request", "VerifyAuditRequest", "A checkpoint that the record must agree with.", {
    checkpoint: fullCheckpoint,
  }),
  valid("verify-audit-request-empty", "VerifyAuditRequest", "The record on its own.", {}),
  valid("verify-audit-response", "VerifyAuditResponse", "What was found, with every field set.", {
    valid: true,
    entriesChecked: "42",
    firstBadSequence: "17",
    problem: "The hash does not match",
    checkpoint: fullCheckpoint,
    vouchedThrough: "40",
    problemKind: "changed",
    keys: [key],
  }),
  valid(
    "verify-audit-response-empty",
    "VerifyAuditResponse",
    "Nothing was checked, so nothing is valid.",
    {},
  ),
  valid("get-audit-checkpoint-request", "GetAuditCheckpointRequest", "The state of the record.", {}),
  valid("get-audit-checkpoint-response", "GetAuditCheckpointResponse", "The state of the record, signed.", {
    checkpoint: fullCheckpoint,
    key,
  }),
  valid("get-audit-checkpoint-response-empty", "GetAuditCheckpointResponse", "There is no entry yet.", {}),
  valid("export-audit-request", "ExportAuditRequest", "One pipeline, led back to a checkpoint.", {
    pipelineId: "p-1",
    since: fullCheckpoint,
  }),
  valid("export-audit-request-empty", "ExportAuditRequest", "The whole record.", {}),
  valid("export-audit-response", "ExportAuditResponse", "A piece of the file.", { piece: hash(10, 48) }),
  ...breaks("ListAuditEntriesRequest", {}, [
    ["page_size", -1, "int32.gte", "A page of fewer than no entries."],
  ]),
  ...breaks("GetAuditProofRequest", {}, [["audit_id", "", "string.min_len", "No entry is named."]]),
  ...breaks("GetAuditProofResponse", proof, [
    ["proof.leaf_index", "-1", "int64.gte", "A leaf before the first."],
    ["proof.checkpoint", absent, "required", "A proof that leads nowhere."],
    ["proof.checkpoint.tenant_id", "", "string.min_len", "A checkpoint of no tenant."],
    ["proof.checkpoint.sequence", "-1", "int64.gte", "A checkpoint before the beginning."],
    ["proof.checkpoint.entry_hash", hash(4, 31), "bytes.len", "A hash that is one byte short."],
    ["proof.checkpoint.root_hash", absent, "bytes.len", "A root that is missing: no bytes are not 32 bytes."],
  ]),
  ...breaks("VerifyAuditResponse", {}, [
    ["entries_checked", "-1", "int64.gte", "Fewer than no entries were checked."],
    ["first_bad_sequence", "-1", "int64.gte", "A fault before the beginning."],
    ["vouched_through", "-1", "int64.gte", "Vouched for before the beginning."],
  ]),
  ...breaks("GetAuditCheckpointResponse", { key }, [
    ["key.key_id", "", "string.min_len", "A key without a name."],
    ["key.public_key", hash(9, 31), "bytes.len", "A key that is one byte short."],
  ]),
  ...hollow("GetAuditProofResponse", {}, [
    ["entry", missing.auditEntry],
    ["proof", missing.inclusionProof],
    ["proof.checkpoint", missing.auditCheckpoint],
    ["key", missing.auditKey],
  ]),
  ...hollow("GetAuditCheckpointResponse", {}, [
    ["checkpoint", missing.auditCheckpoint],
    ["key", missing.auditKey],
  ]),
  ...hollow("ExportAuditRequest", {}, [["since", missing.auditCheckpoint]]),
  ...hollow("VerifyAuditRequest", {}, [["checkpoint", missing.auditCheckpoint]]),
  ...hollow("VerifyAuditResponse", {}, [["checkpoint", missing.auditCheckpoint]]),
];
