import { globSync, readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { contractFiles } from "@baton/contract";
import { describe, expect, it } from "vitest";
import { ajvForContract, readSchema, schemaFolder } from "./testing/schemas.ts";

const messages = contractFiles.flatMap((file) => file.messages);
const ajv = ajvForContract();

const envelope = {
  protocolVersion: { schemaVersion: "1.0.0" },
  contract: { taskId: "task-1", title: "Add a login page", acceptanceCriteria: ["a user can log in"] },
  trace: { traceId: "trace-1", spanId: "span-1", tenantId: "acme" },
  safety: {},
  refs: [{ uriOrLocator: "src/login.ts" }],
  execution: { idempotencyKey: "key-1", dispatchId: "dispatch-1", attemptNumber: 1 },
};

/** Where the schema of a message finds fault with a value. */
function faults(message: string, value: unknown): string[] {
  const validate = ajv.getSchema(`vasini.agent.v1.${message}.schema.json`);
  if (validate === undefined) throw new Error(`there is no schema of ${message}`);
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);
}

describe("JSON Schemas of the contract", () => {
  it("[CON-07] are there for every message, and for nothing else", () => {
    const files = globSync("*", { cwd: schemaFolder }).map((path) => basename(path));
    expect(files.toSorted()).toEqual(messages.map(({ name }) => `${name}.schema.json`).toSorted());
  });

  it.each(messages.map(({ name }) => name))("[CON-07] compile in strict mode: %s", (name) => {
    expect(() => ajv.getSchema(`vasini.agent.v1.${name}.schema.json`)).not.toThrow();
  });

  it("[CON-07] end with a newline and are indented by two spaces", () => {
    const text = readFileSync(resolve(schemaFolder, "Contract.schema.json"), "utf8");
    expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
  });

  it("[CON-07] accept a minimal envelope", () => {
    expect(faults("TaskEnvelope", envelope)).toEqual([]);
  });

  it("[CON-07] accept fields of a newer version", () => {
    const newer = { ...envelope, contract: { ...envelope.contract, addedLater: 1 } };
    expect(faults("TaskEnvelope", newer)).toEqual([]);
  });

  it("[CON-07] carry the comments of the protos", () => {
    expect(readSchema("TaskEnvelope")).toMatchObject({
      title: "TaskEnvelope",
      description: "A task as the orchestrator sends it to an agent (A §2.1).",
      properties: { refs: { description: "What the task refers to." } },
      $defs: {
        "vasini.agent.v1.Priority": {
          description: expect.stringMatching(/^How urgent a task is .*- PRIORITY_CRITICAL: Critical\.$/s),
        },
      },
    });
  });

  it("[CON-07] carry CEL rules as words and as data", () => {
    const message = "selected_pack_id must be one of candidate_pack_ids";
    const expression = "this.selected_pack_id == '' || this.selected_pack_id in this.candidate_pack_ids";
    expect(readSchema("Routing")).toMatchObject({
      description: expect.stringContaining(`Rule: ${message} (CEL: ${expression}).`),
      "x-cel": [{ id: "routing.selected_is_candidate", message, expression }],
    });
  });

  it("[CON-07] carry the bounds of durations in words", () => {
    expect(readSchema("StageConfig")).toMatchObject({
      properties: { timeout: { description: expect.stringContaining("Rule: longer than 0s.") } },
    });
    expect(readSchema("ErrorDetail")).toMatchObject({
      properties: { retryAfter: { description: expect.stringContaining("Rule: no shorter than 0s.") } },
    });
  });
});

describe("a broken envelope", () => {
  const { contract, execution, trace } = envelope;
  const long = "x".repeat(32_769);
  const broken: readonly (readonly [string, object, string])[] = [
    ["without a contract", { contract: undefined }, " required"],
    ["without references", { refs: [] }, "/refs minItems"],
    ["with references left out", { refs: undefined }, " required"],
    ["with an empty task id", { contract: { ...contract, taskId: "" } }, "/contract/taskId minLength"],
    ["with the title left out", { contract: { ...contract, title: undefined } }, "/contract required"],
    [
      "without criteria",
      { contract: { ...contract, acceptanceCriteria: [] } },
      "/contract/acceptanceCriteria minItems",
    ],
    [
      "with a number as criterion",
      { contract: { ...contract, acceptanceCriteria: [1] } },
      "/contract/acceptanceCriteria/0 type",
    ],
    ["without a tenant", { trace: { ...trace, tenantId: undefined } }, "/trace required"],
    [
      "at attempt zero",
      { execution: { ...execution, attemptNumber: 0 } },
      "/execution/attemptNumber minimum",
    ],
    [
      "at an attempt left out",
      { execution: { ...execution, attemptNumber: undefined } },
      "/execution required",
    ],
    [
      "at half an attempt",
      { execution: { ...execution, attemptNumber: 1.5 } },
      "/execution/attemptNumber type",
    ],
    [
      "with an unknown priority",
      { execution: { ...execution, priority: "SOON" } },
      "/execution/priority enum",
    ],
    ["with a priority by number", { execution: { ...execution, priority: 9 } }, "/execution/priority type"],
    [
      "with a deadline that is no instant",
      { execution: { ...execution, deadline: "tomorrow" } },
      "/execution/deadline format",
    ],
    [
      "with a timeout without a unit",
      { execution: { ...execution, timeout: "90" } },
      "/execution/timeout pattern",
    ],
    [
      "with a negative budget",
      { execution: { ...execution, budget: { maxTokens: "-1" } } },
      "/execution/budget/maxTokens anyOf",
    ],
    ["with too much context", { contextIn: { sharedContext: long } }, "/contextIn/sharedContext maxLength"],
    [
      "with too many answers",
      { clarifications: Array(65).fill({ question: "?" }) },
      "/clarifications maxItems",
    ],
    ["with a text as inputs", { inputs: "none" }, "/inputs type"],
  ];

  it.each(broken)("[CON-07] is refused %s", (_, change, fault) => {
    // Through JSON, so that what is undefined is left out.
    const value: unknown = JSON.parse(JSON.stringify({ ...envelope, ...change }));
    expect(faults("TaskEnvelope", value)).toContain(fault);
  });
});

describe("a rule of the contract", () => {
  const items = { items: [{ command: "npm test" }] };

  it("[CON-07] demands exactly one arm of a required oneof", () => {
    expect(faults("Evidence", { items })).toEqual([]);
    expect(faults("Evidence", { noneWithReason: "nothing was run" })).toEqual([]);
    expect(faults("Evidence", {})).toContain(" oneOf");
    expect(faults("Evidence", { items, noneWithReason: "nothing was run" })).toContain(" oneOf");
    expect(faults("Evidence", { noneWithReason: "" })).toContain("/noneWithReason minLength");
  });

  it("[CON-07] allows at most one arm of any other oneof", () => {
    expect(faults("AuditSnapshot", {})).toEqual([]);
    expect(faults("AuditSnapshot", { gate: {} })).toEqual([]);
    expect(faults("AuditSnapshot", { gate: {}, result: {} })).toContain(" oneOf");
  });

  it("[CON-07] counts characters as code points", () => {
    const ends = (content: string) => faults("SnippetRef", { content });
    expect(ends("🙂".repeat(4096))).toEqual([]);
    expect(ends("🙂".repeat(4097))).toEqual(["/content maxLength"]);
  });

  it("[CON-07] takes 64 bits as text or as a number", () => {
    const drop = (sequence: unknown) => faults("AttachAcknowledged", { sequence });
    expect(drop("9223372036854775807")).toEqual([]);
    expect(drop(1)).toEqual([]);
    expect(drop("0")).toContain("/sequence anyOf");
    expect(drop(0)).toContain("/sequence anyOf");
    expect(faults("AttachAcknowledged", {})).toEqual([" required"]);
  });

  it("[CON-07] measures bytes through base64", () => {
    const hash = (length: number) => Buffer.alloc(length, 7).toString("base64");
    const checkpoint = (rootHash: string) =>
      faults("AuditCheckpoint", { tenantId: "acme", entryHash: hash(32), rootHash });
    expect(checkpoint(hash(32))).toEqual([]);
    expect(checkpoint(hash(31))).toEqual(["/rootHash pattern"]);
    expect(checkpoint(hash(33))).toEqual(["/rootHash pattern"]);
  });

  it("[CON-07] takes a number for an enum only where values may be undefined", () => {
    expect(faults("Blocker", { blockerType: 99 })).toEqual([]);
    expect(faults("ResultStatus", { outcome: 99 })).toContain("/outcome type");
    expect(faults("StructuredResponse", { status: "RESPONSE_STATUS_UNSPECIFIED" })).toEqual(["/status not"]);
    expect(faults("StructuredResponse", {})).toEqual([" required"]);
  });

  it("[CON-07] keeps what is not a number out of bounded numbers", () => {
    expect(faults("AgentHealth", { errorRate1m: "NaN" })).toEqual([]);
    expect(faults("RetryPolicy", { backoffMultiplier: "NaN" })).toEqual(["/backoffMultiplier type"]);
    expect(faults("RetryPolicy", { jitter: "NaN" })).toEqual(["/jitter type"]);
    expect(faults("RetryPolicy", { jitter: 1.1 })).toEqual(["/jitter maximum"]);
  });

  it("[CON-07] wants a UUID as an id of an event", () => {
    const event = { sessionId: "s-1", sandboxPulse: { timestamp: "2026-01-31T12:00:00Z" } };
    expect(faults("Event", { ...event, eventId: "1b4e28ba-2fa1-41d2-883f-0016d3cca427" })).toEqual([]);
    expect(faults("Event", { ...event, eventId: "event-1" })).toContain("/eventId pattern");
  });

  it("[CON-07] wants a time limit that is not zero", () => {
    expect(faults("StageConfig", { timeout: "0.5s" })).toEqual([]);
    expect(faults("StageConfig", { timeout: "0s" })).toEqual(["/timeout pattern"]);
    expect(faults("StageConfig", { timeout: "-1s" })).toEqual(["/timeout pattern"]);
  });
});
