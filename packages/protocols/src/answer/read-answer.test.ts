import {
  AgentResultSchema,
  encodeJson,
  Outcome,
  ResponseStatus,
  schemaVersion,
  TaskEnvelopeSchema,
  validate,
} from "@baton/contract";
import { create, toJson } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { answerInstructions } from "./instructions.ts";
import { type AnswerFrame, readAnswer } from "./read-answer.ts";

const envelope = create(TaskEnvelopeSchema, {
  protocolVersion: { schemaVersion: "1.0.0", policyVersion: "7" },
  contract: { taskId: "task-1", title: "Do it", acceptanceCriteria: ["it is done"] },
  trace: { traceId: "a".repeat(32), spanId: "b".repeat(16), tenantId: "acme" },
  execution: { dispatchId: "p/s/2", attemptNumber: 2, idempotencyKey: "k" },
});

const frame: AnswerFrame = {
  envelope,
  packVersion: "1.2.0",
  instanceId: "dev-1",
  spanId: "c".repeat(16),
  startedMs: 1_000,
  finishedMs: 3_500,
  usage: { inputTokens: 10n, outputTokens: 5n, costMicroUsd: 1_200n, steps: 2 },
};

const read = (answer: unknown) => readAnswer(JSON.stringify(answer), frame);

function resultOf(answer: unknown) {
  const reading = read(answer);
  if (!reading.ok) throw new Error(reading.reason);
  expect(validate(AgentResultSchema, reading.result)).toEqual([]);
  return reading.result;
}

describe("a lean answer", () => {
  it("[TRN-03] becomes a valid result of its attempt", () => {
    const result = resultOf({
      status: "success",
      summary: "Added the helper.",
      evidence: [{ type: "test", command: "npm test", output: "ok 3", passed: true, exit_code: 0 }],
      artifacts: ["src/a.js", { path: "src/b.js", action: "created" }],
      decisions: ["kept it small", { description: "no library", rationale: "ten lines" }],
      risks: ["none known"],
      data: { lines: 10 },
    });
    expect(toJson(AgentResultSchema, result)).toMatchObject({
      protocolVersion: { schemaVersion, policyVersion: "7", packVersion: "1.2.0" },
      status: {
        outcome: "OUTCOME_SUCCESS",
        confidence: "CONFIDENCE_CONFIDENT",
        summary: "Added the helper.",
      },
      trace: {
        traceId: "a".repeat(32),
        spanId: "c".repeat(16),
        parentSpanId: "b".repeat(16),
        tenantId: "acme",
      },
      evidence: { items: { items: [{ type: "EVIDENCE_TYPE_TEST", passed: true, exitCode: 0 }] } },
      timing: { duration: "2.500s" },
      artifacts: [
        { path: "src/a.js", action: "ARTIFACT_ACTION_MODIFIED" },
        { path: "src/b.js", action: "ARTIFACT_ACTION_CREATED" },
      ],
      contextOut: { decisionsMade: [{ description: "kept it small" }, { rationale: "ten lines" }] },
      ...{ taskId: "task-1", dispatchId: "p/s/2", attemptNumber: 2 },
      usage: { inputTokens: "10", outputTokens: "5", costMicroUsd: "1200", steps: 2 },
      response: { status: "RESPONSE_STATUS_SUCCESS", data: { lines: 10 }, message: "Added the helper." },
    });
  });

  it.each([
    ["success", Outcome.SUCCESS, ResponseStatus.SUCCESS],
    ["completed", Outcome.SUCCESS, ResponseStatus.COMPLETED],
    ["partial", Outcome.PARTIAL, ResponseStatus.SUCCESS],
    ["failure", Outcome.NON_RETRYABLE_FAILURE, ResponseStatus.FAILURE],
    ["retry", Outcome.RETRYABLE_FAILURE, ResponseStatus.FAILURE],
    ["blocked", Outcome.POLICY_BLOCKED, ResponseStatus.FAILURE],
    ["clarification_needed", Outcome.PARTIAL, ResponseStatus.CLARIFICATION_NEEDED],
    ["retry-with-instruction", Outcome.PARTIAL, ResponseStatus.RETRY_WITH_INSTRUCTION],
  ])("[TRN-03] with the status %s leads where that leads", (status, outcome, response) => {
    const result = resultOf({ status, summary: "so" });
    expect(result.status?.outcome).toBe(outcome);
    expect(result.response?.status).toBe(response);
  });

  it("[TRN-03] may be a SACP response", () => {
    const answer = { thought: "5 + 5", status: "success", data: { result: 10 }, message: "It is 10." };
    const { status, response, evidence } = resultOf(answer);
    expect(status?.summary).toBe("It is 10.");
    expect(response).toMatchObject({ thought: "5 + 5", data: { result: 10 }, message: "It is 10." });
    expect(evidence?.evidencePayload).toEqual({
      case: "noneWithReason",
      value: "the answer shows no evidence",
    });
  });

  it("[TRN-03] says why it has no evidence, instead of a list", () => {
    const { evidence } = resultOf({ status: "success", summary: "so", evidence: "nothing can be run here" });
    expect(evidence?.evidencePayload.value).toBe("nothing can be run here");
  });

  it("[TRN-03] may be named result", () => {
    expect(resultOf({ result: { status: "partial", summary: "half" } }).status?.summary).toBe("half");
  });

  it.each([
    [{ status: "success" }, "summary must say what was done"],
    [{ status: "success", summary: 7 }, "summary must be a text"],
    [{ status: "success", summary: "so", evidence: { passed: true } }, "evidence must be a list"],
    [
      { status: "success", summary: "so", evidence: [{ passed: "yes" }] },
      "evidence[0].passed must be true or false",
    ],
    [{ status: "success", summary: "so", evidence: [3] }, "evidence[0] must be a text or an object"],
    [{ status: "success", summary: "so", artifacts: [{}] }, "artifacts[0].path must name a file"],
    [{ status: "success", summary: "so", risks: [{}] }, "risks[0] must be a text"],
    [{ status: "success", summary: "so", data: [] }, "data must be an object"],
    [
      { status: "success", summary: "so", confidence: "very" },
      "confidence must be one of confident, uncertain",
    ],
    [
      { status: "failure", summary: "so", risks: Array(1_001).fill("x") },
      "risks must have at most 1000 items",
    ],
  ])("[TRN-03] is refused with the place of what is wrong: %j", (answer, reason) => {
    expect(read(answer)).toMatchObject({ ok: false, reason: expect.stringContaining(reason) });
  });

  it("[TRN-03] keeps the end of an output that is too long", () => {
    const output = `${"x".repeat(70_000)}the end`;
    const { evidence } = resultOf({
      status: "success",
      summary: "so",
      evidence: [{ type: "test", output, passed: true }],
    });
    const payload = evidence?.evidencePayload;
    expect(payload?.case === "items" && payload.value.items[0]?.output.endsWith("the end")).toBe(true);
  });
});

describe("a whole answer", () => {
  it("[TRN-03] is taken as it is", () => {
    const whole = resultOf({ status: "success", summary: "so" });
    const text = `Done.\n\`\`\`json\n${encodeJson(AgentResultSchema, { ...whole, attemptNumber: 7 })}\n\`\`\``;
    const reading = readAnswer(text, frame);
    expect(reading.ok && reading.result).toMatchObject({ attemptNumber: 7, dispatchId: "p/s/2" });
  });

  it("[TRN-03] that is none is refused with the reason", () => {
    const reading = read({ protocolVersion: { schemaVersion: "1.0.0" }, status: { outcome: "WELL" } });
    expect(reading).toMatchObject({ ok: false, reason: expect.stringContaining("BATON-CONTRACT-002") });
  });
});

describe("what is no answer", () => {
  it.each([
    ["", "its output is empty"],
    ["I could not do it, sorry.", "there is no answer in its output"],
    ['{"status": "in progress"}', "there is no answer in its output"],
    ['{"status": "success", "summary": "all go', "the answer is cut off before its end"],
  ])("[TRN-03] is reported: %j", (text, reason) => {
    expect(readAnswer(text, frame)).toMatchObject({ ok: false, reason: expect.stringContaining(reason) });
  });

  it("[TRN-03] the instructions show an answer that can be read", () => {
    expect(readAnswer(answerInstructions, frame)).toMatchObject({ ok: true, repairs: [] });
  });
});
