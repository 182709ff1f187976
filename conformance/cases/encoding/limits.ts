/** Lengths exactly at their limit, which are valid, and one over, which are not. */
import type { JsonObject } from "@bufbuild/protobuf";
import { breaks, type Case, valid } from "../case.ts";
import { minimalEnvelope } from "../messages/envelope.ts";
import { minimalPipeline } from "../messages/pipeline.ts";
import { minimalResult } from "../messages/result.ts";
import { hash, ofLength } from "../parts.ts";
import { absent, patch } from "../patch.ts";
import { minimalHello } from "../services/attach.ts";
import { minimalHeartbeat } from "../services/registry.ts";
import { minimalSubmit } from "../services/submit.ts";

/** Astral characters count once each, although they take four bytes and two UTF-16 units. */
const astral = "\u{1F680}";

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

const heldDispatches = (count: number) =>
  times(count, (index) => ({ dispatchId: `d-${index}`, attemptNumber: 1 }));
const planned = (count: number) => times(count, (index) => ({ stageId: `s-${index}` }));
const asked = (count: number) => times(count, (index) => ({ question: `Question ${index + 1}?` }));
const edges = (count: number) =>
  times(count, (index) => ({ condition: "true", targetStageId: `s-${index}`, maxTimes: 1 }));
const labels = (count: number) => times(count, (index) => ({ name: `label-${index}` }));
const longLabel = (name: number, value: number) => [{ name: ofLength(name), value: ofLength(value) }];
const hashes = (count: number) => times(count, (index) => hash(index));

const checkpoint: JsonObject = { tenantId: "acme", entryHash: hash(4), rootHash: hash(5) };
const proved = (count: number): JsonObject => ({ proof: { hashes: hashes(count), checkpoint } });

const output = (text: string) => ({ items: { items: [{ output: text }] } });
const snippet = (text: string) => [{ path: "src/login.ts", content: text }];
const feedback = (text: string) => ({
  rejectedAttempt: 1,
  failedChecks: [{ checkName: "tests", evidence: text }],
});

const stage = "stages[0].config";
const pageOf = (type: string, things: string): readonly Case[] => {
  const name = type.replace(/([a-z])([A-Z])/g, "$1-$2").toLowerCase();
  return [
    valid(
      `${name}-at-its-limits`,
      type,
      `A page of ${things}: token, filter and order as long as they may be.`,
      {
        pageSize: 2147483647,
        pageToken: ofLength(1024),
        filter: ofLength(4096),
        orderBy: ofLength(256),
      },
    ),
    ...breaks(type, {}, [
      ["page_token", ofLength(1025), "string.max_len", "A token that is one character too long."],
      ["filter", ofLength(4097), "string.max_len", "A filter that is one character too long."],
      ["order_by", ofLength(257), "string.max_len", "An order that is one character too long."],
    ]),
  ];
};

export const limitCases: readonly Case[] = [
  valid(
    "agent-heartbeat-reason-at-its-limit",
    "AgentHeartbeat",
    "Why it is not well, as long as it may be.",
    patch(minimalHeartbeat, { "health.reason": ofLength(1024) }),
  ),
  ...breaks("AgentHeartbeat", minimalHeartbeat, [
    ["health.reason", ofLength(1025), "string.max_len", "A reason that is one character too long."],
  ]),
  ...pageOf("ListAgentsRequest", "instances"),
  ...pageOf("ListAuditEntriesRequest", "entries"),
  ...pageOf("ListEscalationsRequest", "escalations"),
  ...pageOf("ListPipelinesRequest", "pipelines"),

  valid("watch-events-request-at-its-limits", "WatchEventsRequest", "A filter as long as it may be.", {
    filter: ofLength(4096),
  }),
  ...breaks("WatchEventsRequest", {}, [
    ["filter", ofLength(4097), "string.max_len", "A filter that is one character too long."],
  ]),

  valid(
    "submit-task-request-at-its-limits",
    "SubmitTaskRequest",
    "A key of 256 astral characters: 1024 bytes, 512 UTF-16 units, and just short enough.",
    patch(minimalSubmit, { idempotency_key: ofLength(256, astral) }),
  ),
  valid(
    "submit-task-request-most-stages",
    "SubmitTaskRequest",
    "As many stages as a plan may have.",
    patch(minimalSubmit, { task_type: absent, pipeline: { stages: planned(1000) } }),
  ),
  valid(
    "submit-task-request-most-labels",
    "SubmitTaskRequest",
    "As many labels as a task may have, one of them with the longest name and value.",
    patch(minimalSubmit, { labels: [...labels(15), ...longLabel(63, 128)] }),
  ),
  ...breaks("SubmitTaskRequest", minimalSubmit, [
    ["labels", labels(17), "repeated.max_items", "One label too many."],
    ["labels", longLabel(0, 1), "string.min_len", "A label without a name.", { at: "labels[0].name" }],
    [
      "labels",
      longLabel(64, 1),
      "string.max_len",
      "A name that is one character too long.",
      { at: "labels[0].name" },
    ],
    [
      "labels",
      longLabel(1, 129),
      "string.max_len",
      "A value that is one character too long.",
      { at: "labels[0].value" },
    ],
    [
      "idempotency_key",
      ofLength(257, astral),
      "string.max_len",
      "A key that is one astral character too long.",
    ],
  ]),
  ...breaks("SubmitTaskRequest", patch(minimalSubmit, { task_type: absent }), [
    ["pipeline.stages", planned(1001), "repeated.max_items", "A plan with one stage too many."],
  ]),

  valid(
    "task-envelope-at-its-limits",
    "TaskEnvelope",
    "Context, delta, snippet, evidence and clarifications as large as they may be.",
    patch(minimalEnvelope, {
      context_in: {
        sharedContext: ofLength(32768),
        taskDelta: ofLength(16384),
        criticalSnippets: snippet(ofLength(4096, astral)),
      },
      review_feedback: feedback(ofLength(65536)),
      clarifications: asked(64),
    }),
  ),
  ...breaks("TaskEnvelope", minimalEnvelope, [
    [
      "context_in.shared_context",
      ofLength(32769),
      "string.max_len",
      "Context that is one character too long.",
    ],
    ["context_in.task_delta", ofLength(16385), "string.max_len", "A delta that is one character too long."],
    [
      "context_in.critical_snippets",
      snippet(ofLength(4097)),
      "string.max_len",
      "A snippet that is one character too long.",
      { at: "context_in.critical_snippets[0].content" },
    ],
    [
      "review_feedback",
      feedback(ofLength(65537)),
      "string.max_len",
      "Evidence that is one character too long.",
      { at: "review_feedback.failed_checks[0].evidence" },
    ],
    ["clarifications", asked(65), "repeated.max_items", "One clarification too many."],
  ]),

  valid(
    "agent-result-at-its-limits",
    "AgentResult",
    "Output of a command as long as it may be.",
    patch(minimalResult, { evidence: output(ofLength(65536)) }),
  ),
  ...breaks("AgentResult", minimalResult, [
    [
      "evidence",
      output(ofLength(65537)),
      "string.max_len",
      "Output that is one character too long.",
      { at: "evidence.items.items[0].output" },
    ],
  ]),

  valid(
    "pipeline-at-its-limits",
    "Pipeline",
    "Conditions as long as they may be, and as many edges and labels as there may be.",
    patch(minimalPipeline, {
      labels: labels(16),
      [`${stage}.condition`]: ofLength(4096),
      [`${stage}.rewind_edges`]: [
        { condition: ofLength(4096), targetStageId: "s", maxTimes: 1 },
        ...edges(63),
      ],
    }),
  ),
  ...breaks("Pipeline", minimalPipeline, [
    ["labels", labels(17), "repeated.max_items", "One label too many."],
    [`${stage}.condition`, ofLength(4097), "string.max_len", "A condition that is one character too long."],
    [
      `${stage}.rewind_edges`,
      [{ condition: ofLength(4097), targetStageId: "s", maxTimes: 1 }],
      "string.max_len",
      "A condition of an edge that is one character too long.",
      { at: `${stage}.rewind_edges[0].condition` },
    ],
    [`${stage}.rewind_edges`, edges(65), "repeated.max_items", "One edge too many."],
  ]),

  valid(
    "attach-agent-request-most-dispatches",
    "AttachAgentRequest",
    "As many attempts as an agent may hold.",
    {
      sequence: "1",
      hello: { ...minimalHello, heldDispatches: heldDispatches(1024) },
    },
  ),
  ...breaks("AttachAgentRequest", { sequence: "1", hello: minimalHello }, [
    ["hello.held_dispatches", heldDispatches(1025), "repeated.max_items", "One attempt too many."],
  ]),

  valid(
    "get-audit-proof-response-deepest",
    "GetAuditProofResponse",
    "A proof as long as it may be.",
    proved(64),
  ),
  ...breaks("GetAuditProofResponse", proved(64), [
    ["proof.hashes", hashes(65), "repeated.max_items", "One hash too many."],
  ]),
];
