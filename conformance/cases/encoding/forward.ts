/** Messages of a newer contract, and of encoders that write in other ways than ours. */

import { type Case, valid } from "../case.ts";
import { minimalEntry } from "../messages/audit.ts";
import { minimalEnvelope } from "../messages/envelope.ts";
import { minimalPipeline } from "../messages/pipeline.ts";
import { minimalResult } from "../messages/result.ts";
import { finishedAt, trace } from "../parts.ts";
import { absent, patch } from "../patch.ts";
import { minimalSubmit } from "../services/submit.ts";
import { double, encodeFields, fixed32, fixed64, group, message, text, varint } from "./raw-field.ts";

const newer = { protocol_version: { schemaVersion: "1.7.0" } };

/** An entry of structured data: the key "n" with the number 1. */
const oneInput = message(1, text(1, "n"), message(2, double(2, 1)));

const newerCases: readonly Case[] = [
  valid(
    "unknown-fields-varint",
    "TaskEnvelope",
    "A newer minor version adds a number to the envelope: accepted, kept, written back.",
    patch(minimalEnvelope, newer),
    { unknownFields: { "": [varint(1000, 150n), varint(1000, 2n ** 64n - 1n)] } },
  ),
  valid(
    "unknown-fields-length-delimited",
    "AgentResult",
    "A newer minor version adds texts, one of them empty.",
    patch(minimalResult, newer),
    { unknownFields: { "": [text(1000, "from the future"), text(1001, "")] } },
  ),
  valid("unknown-fields-fixed", "Pipeline", "A newer version adds numbers of fixed width.", minimalPipeline, {
    unknownFields: { "": [fixed32(1000, 0xdeadbeef), fixed64(1001, 0x0123456789abcdefn)] },
  }),
  valid(
    "unknown-fields-group",
    "AuditEntry",
    "A group, the obsolete form of a sub-message, with a group inside.",
    minimalEntry,
    { unknownFields: { "": [group(1000, varint(1, 1n), group(2, text(3, "deep")))] } },
  ),
  valid(
    "unknown-fields-nested",
    "TaskEnvelope",
    "Unknown fields in sub-messages, in list elements and in a well-known type stay where they were.",
    patch(minimalEnvelope, { ...newer, "execution.deadline": "2026-03-14T12:00:00Z" }),
    {
      unknownFields: {
        contract: [text(1000, "in the contract")],
        "execution.deadline": [varint(1000, 1n)],
        "refs[0]": [fixed32(1000, 1), group(1001, varint(1, 1n))],
        trace: [fixed64(1000, 1n)],
      },
    },
  ),
  valid(
    "unknown-fields-reserved",
    "TaskEnvelope",
    "Numbers that the contract reserves are unknown fields like any other.",
    minimalEnvelope,
    { unknownFields: { "": [text(9, "reserved"), varint(15, 1n)] } },
  ),
  valid(
    "unknown-fields-in-structured-data",
    "TaskEnvelope",
    "An unknown field in google.protobuf.Struct, which is protobuf's to extend and not ours.",
    patch(minimalEnvelope, { inputs: { n: 1 } }),
    {
      wire: [minimalEnvelope, encodeFields(message(18, oneInput, varint(1000, 1n)))],
      hasUnknownFields: true,
      losses: [
        {
          language: "typescript",
          form: "binary",
          reason: "structured data is a plain object in TypeScript, which has no place for unknown fields",
        },
      ],
    },
  ),
  valid(
    "unknown-fields-largest-number",
    "AuditEntry",
    "The largest number that a field can have, and those around the numbers reserved for protobuf itself.",
    minimalEntry,
    { unknownFields: { "": [varint(18999, 1n), varint(20000, 1n), varint(536870911, 1n)] } },
  ),
  valid(
    "newer-schema-version",
    "AgentResult",
    "A newer minor version without anything new in it.",
    patch(minimalResult, newer),
  ),
  valid(
    "unknown-enum-value",
    "Pipeline",
    "A number that an enum does not define, where no rule forbids it: kept, and a number in JSON.",
    patch(minimalPipeline, { status: 99, "stages[0].status": -1 }),
  ),
  valid(
    "unknown-enum-value-of-a-ref",
    "TaskEnvelope",
    "The largest and the smallest number that an enum can have.",
    patch(minimalEnvelope, {
      refs: [
        { uriOrLocator: "a", refType: 2147483647 },
        { uriOrLocator: "b", refType: -2147483648 },
      ],
    }),
  ),
];

const { evidence, ...resultWithoutEvidence } = minimalResult;

/** The number of the field in AuditEntry. */
const attemptNumber = 10;

const otherEncoderCases: readonly Case[] = [
  valid(
    "wire-both-arms",
    "AgentResult",
    "Both arms of a oneof on the wire: the last one counts, the first is as if it had never been sent.",
    minimalResult,
    {
      isCanonical: false,
      wire: [
        resultWithoutEvidence,
        { evidence: { items: { items: [{ command: "npm test" }] } } },
        { evidence: evidence ?? null },
      ],
    },
  ),
  valid(
    "wire-both-arms-in-the-other-order",
    "SubmitTaskRequest",
    "The last arm on the wire counts, not the one with the highest number.",
    patch(minimalSubmit, { task_type: absent, template_id: "implement-and-review" }),
    { isCanonical: false, wire: [minimalSubmit, { templateId: "implement-and-review" }] },
  ),
  valid(
    "wire-arm-in-pieces",
    "AgentResult",
    "The same arm twice: the pieces of a message are merged, and lists are joined.",
    patch(minimalResult, {
      evidence: { items: { items: [{ command: "npm test" }, { command: "npm run lint" }] } },
    }),
    {
      isCanonical: false,
      wire: [
        resultWithoutEvidence,
        { evidence: { items: { items: [{ command: "npm test" }] } } },
        { evidence: { items: { items: [{ command: "npm run lint" }] } } },
      ],
    },
  ),
  valid(
    "wire-message-in-pieces",
    "AuditEntry",
    "A sub-message in two pieces is merged field by field; of a number sent twice the last one counts.",
    patch(minimalEntry, {
      attempt_number: 2,
      actor: { type: "ACTOR_TYPE_HUMAN", id: "ada" },
      timestamp: finishedAt,
    }),
    {
      isCanonical: false,
      wire: [
        { ...minimalEntry, attemptNumber: 1, actor: { type: "ACTOR_TYPE_AGENT", id: "ada" } },
        { attemptNumber: 2, actor: { type: "ACTOR_TYPE_HUMAN" }, timestamp: finishedAt },
      ],
    },
  ),
  valid("wire-any-order", "Pipeline", "Fields may come in any order.", minimalPipeline, {
    isCanonical: false,
    wire: [{ trace }, { stages: [{ stageId: "implement" }] }, { pipelineId: "p-1" }],
  }),
  valid(
    "wire-default-value-sent",
    "AuditEntry",
    "A default value on the wire of a field without presence: read, and not written back.",
    minimalEntry,
    { isCanonical: false, wire: [minimalEntry, encodeFields(varint(attemptNumber, 0n))] },
  ),
  valid(
    "wire-long-varint",
    "AuditEntry",
    "A number in more bytes than it needs.",
    patch(minimalEntry, { attempt_number: 1 }),
    // The tag of attempt_number, then the number 1 in ten bytes.
    {
      isCanonical: false,
      wire: [minimalEntry, Uint8Array.of(0x50, 0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00)],
    },
  ),
];

export const forwardCases: readonly Case[] = [...newerCases, ...otherEncoderCases];
