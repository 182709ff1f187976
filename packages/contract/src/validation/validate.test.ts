import {
  AttachAgentResponseSchema,
  assertValid,
  decodeJson,
  EvidenceSchema,
  ExecutionSchema,
  invalid,
  ResultTimingSchema,
  RoutingSchema,
  RunAgentRequestSchema,
  SubmitTaskRequestSchema,
  TaskEnvelopeSchema,
  validate,
} from "@baton/contract";
import { create, type DescMessage } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";

function brokenRules(schema: DescMessage, json: unknown): string[] {
  const message = decodeJson(schema, JSON.stringify(json));
  return validate(schema, message).map(({ field, rule }) => `${field} ${rule}`);
}

describe("validate", () => {
  it("[CON-03] names the field, the rule and what it says", () => {
    const message = create(TaskEnvelopeSchema, { refs: [{ uriOrLocator: "a" }, {}] });
    expect(validate(TaskEnvelopeSchema, message)).toContainEqual({
      field: "refs[1].uri_or_locator",
      rule: "string.min_len",
      message: "must not be empty",
    });
  });

  it("[CON-03] reports every violation at once", () => {
    expect(brokenRules(TaskEnvelopeSchema, {})).toEqual([
      "protocol_version required",
      "contract required",
      "trace required",
      "safety required",
      "refs repeated.min_items",
      "execution required",
    ]);
  });

  it("[CON-04] wants the selected pack among the candidates", () => {
    expect(brokenRules(RoutingSchema, { selectedPackId: "a", candidatePackIds: ["b"] })).toEqual([
      " routing.selected_is_candidate",
    ]);
    expect(brokenRules(RoutingSchema, { selectedPackId: "a", candidatePackIds: ["b", "a"] })).toEqual([]);
    expect(brokenRules(RoutingSchema, {})).toEqual([]);
  });

  it("[CON-04] wants evidence or a reason, not neither and not an empty one", () => {
    expect(brokenRules(EvidenceSchema, {})).toEqual(["evidence_payload required"]);
    expect(brokenRules(EvidenceSchema, { noneWithReason: "" })).toEqual(["none_with_reason string.min_len"]);
    expect(brokenRules(EvidenceSchema, { items: {} })).toEqual(["items.items repeated.min_items"]);
    expect(brokenRules(EvidenceSchema, { noneWithReason: "the agent died" })).toEqual([]);
  });

  it("[CON-03] names the fields of a oneof of which none is set", () => {
    const plan = validate(SubmitTaskRequestSchema, create(SubmitTaskRequestSchema)).find(
      ({ field }) => field === "plan",
    );
    expect(plan?.message).toBe("is required: set one of template_id, task_type, pipeline");
  });

  it("[CON-04] wants attempts counted from one", () => {
    const execution = { idempotencyKey: "k", dispatchId: "d" };
    expect(brokenRules(ExecutionSchema, { ...execution, attemptNumber: 0 })).toEqual([
      "attempt_number int32.gte",
    ]);
    expect(brokenRules(ExecutionSchema, { ...execution, attemptNumber: 1 })).toEqual([]);
  });

  it("[CON-04] wants a result to start before it finishes", () => {
    const early = "2026-01-01T00:00:00Z";
    const late = "2026-01-01T00:00:00.000000001Z";
    expect(brokenRules(ResultTimingSchema, { startedAt: late, finishedAt: early })).toEqual([
      " result_timing.starts_before_it_finishes",
    ]);
    expect(brokenRules(ResultTimingSchema, { startedAt: early, finishedAt: late })).toEqual([]);
    expect(brokenRules(ResultTimingSchema, { startedAt: early, finishedAt: early })).toEqual([]);
    expect(brokenRules(ResultTimingSchema, { startedAt: late })).toEqual([]);
  });
});

describe("values that no JSON can hold", () => {
  it.each([
    [
      "a time after the year 9999",
      { startedAt: { seconds: 253_402_300_800n } },
      "started_at timestamp.range",
    ],
    ["a time before the year 1", { startedAt: { seconds: -62_135_596_801n } }, "started_at timestamp.range"],
    ["a time with negative nanoseconds", { startedAt: { nanos: -1 } }, "started_at timestamp.range"],
    ["a duration beyond 10000 years", { duration: { seconds: 315_576_000_001n } }, "duration duration.range"],
    ["a duration with two signs", { duration: { seconds: 1n, nanos: -1 } }, "duration duration.range"],
  ])("are refused: %s", (_, timing, broken) => {
    const violations = validate(ResultTimingSchema, create(ResultTimingSchema, timing));
    expect(violations.map(({ field, rule }) => `${field} ${rule}`)).toEqual([broken]);
  });

  it("are refused deep inside of structured data and of lists", () => {
    const message = create(TaskEnvelopeSchema, {
      inputs: { scores: [1, { best: Number.NaN }] },
      refs: [{}, { fetchedAt: { nanos: 1_000_000_000 } }],
    });
    expect(validate(TaskEnvelopeSchema, message).map(({ field }) => field)).toEqual([
      "refs[1].fetched_at",
      'inputs["scores"][1]["best"]',
    ]);
  });
});

describe("a deadline", () => {
  const nowMs = Date.UTC(2026, 0, 1);
  const deadline = timestampFromMs(nowMs);
  const late = { field: "deadline", rule: "deadline.after_now", message: "must lie ahead" };
  const clockRules = (schema: DescMessage, message: Parameters<typeof validate>[1], at: number) =>
    validate(schema, message, { nowMs: at }).filter(({ rule }) => rule === late.rule);

  it("[CON-04] has to lie ahead wherever work is handed over", () => {
    const envelope = create(TaskEnvelopeSchema, { execution: { deadline } });
    const dispatch = create(AttachAgentResponseSchema, { message: { case: "dispatch", value: envelope } });
    const places = [
      [SubmitTaskRequestSchema, create(SubmitTaskRequestSchema, { deadline }), "deadline"],
      [TaskEnvelopeSchema, envelope, "execution.deadline"],
      [RunAgentRequestSchema, create(RunAgentRequestSchema, { envelope }), "envelope.execution.deadline"],
      [AttachAgentResponseSchema, dispatch, "dispatch.execution.deadline"],
    ] as const;
    for (const [schema, message, field] of places) {
      expect(clockRules(schema, message, nowMs)).toEqual([{ ...late, field }]);
      expect(clockRules(schema, message, nowMs - 1)).toEqual([]);
    }
  });

  it("[CON-04] is not held against a message that is read back later", () => {
    const message = create(SubmitTaskRequestSchema, { deadline });
    expect(validate(SubmitTaskRequestSchema, message).some(({ rule }) => rule === late.rule)).toBe(false);
  });
});

describe("the error for a message that breaks rules", () => {
  it("[CON-03] says the first and how many more there are, and lists all", () => {
    expect(() => assertValid(TaskEnvelopeSchema, create(TaskEnvelopeSchema))).toThrow(
      "protocol_version is required, and 5 more",
    );
    const violations = validate(TaskEnvelopeSchema, create(TaskEnvelopeSchema));
    expect(String(invalid(TaskEnvelopeSchema, violations)).split("\n")).toHaveLength(8);
    expect(invalid(TaskEnvelopeSchema, violations).code).toBe("BATON-CONTRACT-004");
  });
});
