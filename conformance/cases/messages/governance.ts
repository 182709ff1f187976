/** Governed tasks: what a task states, and what the hub reports about its alignment (SAP V2 §4). */
import type { JsonObject } from "@bufbuild/protobuf";
import { breaks, type Case, hollow, valid } from "../case.ts";
import { missing } from "../missing.ts";
import { finishedAt, ofLength, startedAt } from "../parts.ts";
import { absent, patch } from "../patch.ts";

const minimalGovernance: JsonObject = {
  sapVersion: "2.0",
  taskId: "7fbb32b6-0d2c-4c1a-9b75-2a4b3b0b6c0a",
  correlationId: "a7f5d5b2-13a8-4a0d-9ba2-6b1e3c6f9d11",
  issuer: { agentId: "A-prime", kind: "ISSUER_KIND_AGENT" },
  pressureLevel: "PRESSURE_LEVEL_INSTANT",
};

export const fullGovernance: JsonObject = patch(minimalGovernance, {
  parent_task_id: "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed",
  issued_at: startedAt,
  "issuer.name": "AI Prime",
  capability: "report.write",
  pack_id: "writer",
  territory: "EUFM",
  principles: ["strategic_pause"],
  pressure: [{ principle: "strategic_pause", psi: 28 }],
  constraints: ["No PII"],
  pressure_level: "PRESSURE_LEVEL_DELIBERATED",
  risk_tolerance: "RISK_TOLERANCE_LOW",
  cache_policy: { mode: "CACHE_MODE_PREFER", maxAge: "86400s", mustAlign: true },
  reply_to: ["https://results.example/sap"],
  attachments: [{ uri: "https://files.example/a.pdf", kind: "pdf", digest: `sha256:${ofLength(64, "a")}` }],
  references: ["ubos://constitution/books"],
  output_schema: { type: "object" },
  output_format: "json",
  tags: ["spec"],
  deep_trace: true,
  rest: { meta: { clientVersion: "ubos/1.7.0" } },
});

export const fullAlignment: JsonObject = {
  verdict: "ALIGNMENT_VERDICT_NON_CONSTITUTIONAL",
  subject: "ALIGNMENT_SUBJECT_OUTPUT",
  stageId: "implement",
  dispatchId: "dispatch-2",
  effectiveLevel: "PRESSURE_LEVEL_CONSULTED",
  levelReason: 'the pressure on "strategic_pause" is 61, and 60 asks for a consultation',
  readings: [{ principle: "strategic_pause", psi: 61 }],
  checks: [
    {
      principle: "No PII",
      check: "no-email",
      kind: "personal_data",
      status: "POLICY_CHECK_STATUS_FAIL",
      notes: "contains personal data: email",
    },
  ],
  violations: [
    {
      principle: "No PII",
      severity: "high",
      evidence: "contains personal data: email",
      check: "no-email",
      path: "output.owner",
    },
  ],
  citations: ["ubos://constitution/books"],
  constitutionDigest: ofLength(64, "c"),
  cache: {
    hit: true,
    cacheKey: ofLength(64, "d"),
    ageSec: "3600",
    sourceTaskId: "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed",
    sourcePipelineId: "p-0",
    missReason: "the answer is older than an hour",
  },
  consultations: [
    { pipelineId: "p-7", packId: "ethics", verdict: "ALIGNMENT_VERDICT_ESCALATE", notes: "It depends" },
  ],
  escalationId: "e-1",
  decidedBy: "ada",
  decisionReason: "The address is public",
  decidedAt: finishedAt,
};

const reports = (field: string, prefix: string, names: readonly string[]) =>
  names.map((name) =>
    valid(
      `alignment-report-${field.replaceAll("_", "-")}-${name.toLowerCase().replaceAll("_", "-")}`,
      "AlignmentReport",
      `A report of which ${field} is ${name}.`,
      patch(fullAlignment, { [field]: `${prefix}_${name}` }),
    ),
  );

const too = (field: string, length: number, what: string) =>
  [field, ofLength(length + 1), "string.max_len", `${what} that is too long.`] as const;
const many = (field: string, count: number, one: string | JsonObject, what: string) =>
  [field, Array.from({ length: count + 1 }, () => one), "repeated.max_items", `Too many ${what}.`] as const;

const longest: JsonObject = patch(minimalGovernance, {
  sap_version: ofLength(16),
  task_id: ofLength(64),
  parent_task_id: ofLength(64),
  correlation_id: ofLength(64),
  issuer: { agentId: ofLength(256), kind: "ISSUER_KIND_USER", name: ofLength(256) },
  capability: ofLength(256),
  pack_id: ofLength(256),
  territory: ofLength(256),
  principles: hundred("a"),
  pressure: hundred({ principle: ofLength(256) }),
  constraints: hundred("a"),
  reply_to: ["a", "b", "c", "d"],
  attachments: hundred({ uri: ofLength(2048), kind: ofLength(256), digest: ofLength(256) }),
  references: hundred("a"),
  output_format: ofLength(64),
  tags: hundred("a"),
});

function hundred(one: string | JsonObject): (string | JsonObject)[] {
  return Array.from({ length: 100 }, () => one);
}

export const governanceCases: readonly Case[] = [
  valid("governance-longest", "Governance", "Every text and list as long as the rules accept.", longest),
  valid("governance-minimal", "Governance", "The least that a governed task states.", minimalGovernance),
  valid("governance-full", "Governance", "A governed task in which every field is set.", fullGovernance),
  valid(
    "governance-hollow",
    "Governance",
    "Sub-messages that are there but empty.",
    patch(minimalGovernance, {
      issued_at: "1970-01-01T00:00:00Z",
      cache_policy: {},
      output_schema: {},
      rest: {},
    }),
  ),
  valid(
    "governance-cache-at-once",
    "Governance",
    "An age of zero is there, and accepts only what is stored this second.",
    patch(minimalGovernance, { cache_policy: { maxAge: "0s" } }),
  ),
  ...["USER", "SYSTEM"].map((kind) =>
    valid(
      `governance-issuer-${kind.toLowerCase()}`,
      "Governance",
      `A task that a ${kind.toLowerCase()} issues.`,
      patch(minimalGovernance, { "issuer.kind": `ISSUER_KIND_${kind}` }),
    ),
  ),
  valid(
    "governance-consulted",
    "Governance",
    "A task that asks for a consultation.",
    patch(minimalGovernance, { pressure_level: "PRESSURE_LEVEL_CONSULTED" }),
  ),
  ...["MEDIUM", "HIGH"].map((risk) =>
    valid(
      `governance-risk-${risk.toLowerCase()}`,
      "Governance",
      `A task whose issuer accepts ${risk.toLowerCase()} risk.`,
      patch(minimalGovernance, { risk_tolerance: `RISK_TOLERANCE_${risk}` }),
    ),
  ),
  ...["ONLY", "BYPASS"].map((mode) =>
    valid(
      `governance-cache-${mode.toLowerCase()}`,
      "Governance",
      `A task with the cache mode ${mode}.`,
      patch(minimalGovernance, { cache_policy: { mode: `CACHE_MODE_${mode}` } }),
    ),
  ),
  ...breaks("Governance", minimalGovernance, [
    ["sap_version", "", "string.min_len", "A governed task of no version."],
    too("sap_version", 16, "A version"),
    ["task_id", "", "string.min_len", "A governed task without an id."],
    too("task_id", 64, "An id"),
    too("parent_task_id", 64, "An id"),
    ["correlation_id", "", "string.min_len", "A governed task that correlates with nothing."],
    too("correlation_id", 64, "An id"),
    ["issuer", absent, "required", "A governed task that nobody issues."],
    ["issuer.agent_id", "", "string.min_len", "An issuer without an id."],
    too("issuer.agent_id", 256, "An issuer"),
    ["issuer.kind", absent, "enum.not_in", "An issuer of no kind."],
    ["issuer.kind", 9, "enum.defined_only", "An issuer of a kind that nobody knows."],
    too("issuer.name", 256, "A name"),
    too("capability", 256, "A capability"),
    too("pack_id", 256, "A pack"),
    too("territory", 256, "A territory"),
    many("principles", 100, "a", "principles"),
    many("pressure", 100, { principle: "a" }, "readings"),
    many("constraints", 100, "a", "constraints"),
    ["pressure_level", absent, "enum.not_in", "A governed task that declares no level."],
    ["pressure_level", 9, "enum.defined_only", "A level that nobody knows."],
    ["risk_tolerance", 9, "enum.defined_only", "A risk tolerance that nobody knows."],
    [
      "cache_policy",
      { mode: 9 },
      "enum.defined_only",
      "A mode that nobody knows.",
      { at: "cache_policy.mode" },
    ],
    ["cache_policy", { maxAge: "-1s" }, "duration.gte", "An age below zero.", { at: "cache_policy.max_age" }],
    many("reply_to", 4, "https://results.example", "addresses"),
    many("attachments", 100, { uri: "a" }, "attachments"),
    many("references", 100, "a", "references"),
    too("output_format", 64, "A format"),
    many("tags", 100, "a", "tags"),
  ]),
  ...breaks("Governance", patch(minimalGovernance, { pressure: [{ principle: "a", psi: 1 }] }), [
    ["pressure[0].principle", "", "string.min_len", "Pressure on nothing."],
    too("pressure[0].principle", 256, "A principle"),
    ["pressure[0].psi", -1, "int32.gte_lte", "Pressure below zero.", { suffix: "below" }],
    ["pressure[0].psi", 101, "int32.gte_lte", "Pressure above all.", { suffix: "above" }],
  ]),
  ...breaks("Governance", patch(minimalGovernance, { attachments: [{ uri: "a" }] }), [
    ["attachments[0].uri", "", "string.min_len", "An attachment that is nowhere."],
    too("attachments[0].uri", 2048, "An address"),
    too("attachments[0].kind", 256, "A kind"),
    too("attachments[0].digest", 256, "A digest"),
  ]),
  ...hollow("Governance", minimalGovernance, [["issuer", missing.taskIssuer]]),
  valid("alignment-report-full", "AlignmentReport", "A report in which every field is set.", fullAlignment),
  valid("alignment-report-empty", "AlignmentReport", "Nothing is decided yet.", {}),
  valid("alignment-report-hollow", "AlignmentReport", "Cache evidence that is there but empty.", {
    cache: {},
    decidedAt: "1970-01-01T00:00:00Z",
  }),
  ...reports("verdict", "ALIGNMENT_VERDICT", ["VALID", "ESCALATE"]),
  ...reports("subject", "ALIGNMENT_SUBJECT", ["TASK"]),
  ...reports("effective_level", "PRESSURE_LEVEL", ["INSTANT", "DELIBERATED"]),
  valid(
    "alignment-report-checks",
    "AlignmentReport",
    "A check of every status.",
    patch(fullAlignment, {
      checks: ["UNSPECIFIED", "PASS", "FAIL", "ESCALATE"].map((status) => ({
        principle: "No PII",
        status: `POLICY_CHECK_STATUS_${status}`,
      })),
    }),
  ),
  ...breaks("AlignmentReport", fullAlignment, [
    ["verdict", 9, "enum.defined_only", "A verdict that is none."],
    ["subject", 9, "enum.defined_only", "A report about something unknown."],
    ["effective_level", 9, "enum.defined_only", "A level that nobody knows."],
    ["checks[0].principle", "", "string.min_len", "A check of nothing."],
    ["checks[0].status", 9, "enum.defined_only", "A status that is none."],
    ["violations[0].principle", "", "string.min_len", "A violation of nothing."],
    ["cache.age_sec", "-1", "int64.gte", "An answer from the future."],
    ["consultations[0].verdict", 9, "enum.defined_only", "A verdict that is none."],
  ]),
];
