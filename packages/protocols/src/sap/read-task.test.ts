import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exampleTask, resultOfTheText, taskOfTheText } from "../../testing/sap-examples.ts";
import { ResultSchema, readTask, readTaskText, type SapViolation, sapLimits } from "./index.ts";

const nowMs = Date.parse("2025-09-28T10:15:30Z");
const runs = { numRuns: Number(process.env.BATON_FUZZ_RUNS ?? 200) };

/** The example with one value replaced; `undefined` removes it. */
function changed(path: string, value: unknown): unknown {
  const task = structuredClone(exampleTask()) as Record<string, unknown>;
  const parts = path.split(".");
  const last = parts.pop() ?? "";
  let object: Record<string, unknown> = task;
  for (const part of parts) object = object[part] as Record<string, unknown>;
  if (value === undefined) delete object[last];
  else object[last] = value;
  return task;
}

function violationsIn(given: unknown): readonly SapViolation[] {
  const reading = readTask(given, nowMs);
  return reading.ok ? [] : reading.violations;
}

describe("a Task", () => {
  it("[SAP-01] of the example in the text is refused, because it lacks pressureLevel, and nothing else", () => {
    expect(readTask(taskOfTheText, nowMs)).toEqual({
      ok: false,
      taskId: taskOfTheText.taskId,
      correlationId: taskOfTheText.correlationId,
      violations: [
        {
          ...{ path: "constitutionalContext.pressureLevel", rule: "required" },
          ...{ message: "is missing", fix: "add it" },
        },
      ],
    });
  });

  it("[SAP-01] of the example with that field is read", () => {
    expect(readTask(exampleTask({ telemetry: taskOfTheText.telemetry }), nowMs).ok).toBe(true);
  });

  const must = [
    ...["protocolVersion", "taskId", "correlationId", "issuedAt", "issuer", "issuer.agentId"],
    ...["issuer.agentKind", "target", "target.capability", "constitutionalContext"],
    ...["constitutionalContext.pressureLevel", "payload"],
  ];
  it.each(must)("[SAP-01] without the MUST %s is refused", (path) => {
    expect(violationsIn(changed(path, undefined))).toMatchObject([{ path, rule: "required", fix: "add it" }]);
  });

  it.each([
    ["protocolVersion", "2.1", "const"],
    ["protocolVersion", 2, "const"],
    ["taskId", "7fbb32b6-0d2c-4c1a-9b75", "uuid"],
    ["taskId", "{7fbb32b6-0d2c-4c1a-9b75-2a4b3b0b6c0a}", "uuid"],
    // The variant of Microsoft, of NCS, and one that is reserved.
    ["taskId", "7fbb32b6-0d2c-4c1a-cb75-2a4b3b0b6c0a", "uuid"],
    ["taskId", "7fbb32b6-0d2c-4c1a-0b75-2a4b3b0b6c0a", "uuid"],
    ["taskId", "7fbb32b6-0d2c-4c1a-fb75-2a4b3b0b6c0a", "uuid"],
    ["taskId", "7fbb32b6-0d2c-9c1a-9b75-2a4b3b0b6c0a", "uuid"],
    ["taskId", "00000000-0000-0000-0000-000000000000", "uuid"],
    ["parentTaskId", "parent", "uuid"],
    ["correlationId", 7, "type"],
    ["correlationId", "7fbb32b6-0d2c-4c1a-9b75-2a4b3b0b6c0a\n", "uuid"],
    ["issuedAt", "2025-09-28T10:15:23.000Z", "timestamp"],
    ["issuedAt", "2025-09-28T10:15:23+00:00", "timestamp"],
    ["issuedAt", "2025-09-28 10:15:23Z", "timestamp"],
    ["issuedAt", "2025-02-29T10:15:23Z", "timestamp"],
    ["issuedAt", "2025-09-28T24:00:00Z", "timestamp"],
    ["issuedAt", "2025-09-28T10:15:60Z", "timestamp"],
    ["issuedAt", "2025-09-28T12:15:23Z", "order"],
    ["issuedAt", 1759054523, "type"],
    ["telemetry.deadline", "2025-09-31T10:15:23Z", "timestamp"],
    ["telemetry.deadline", "2025-09-28T10:15:23Z", "order"],
    ["issuer.agentKind", "robot", "enum"],
    ["issuer.agentId", "", "name"],
    ["target", [], "type"],
    ["target.capability", " consult.align", "name"],
    ["target.routingHints", "first", "type"],
    ["constitutionalContext.pressureLevel", "INSTANT", "enum"],
    ["constitutionalContext.riskTolerance", "none", "enum"],
    ["constitutionalContext.principles", "one", "type"],
    ["constitutionalContext.pressure", { a: 101 }, "range"],
    ["constitutionalContext.pressure", { a: -1 }, "range"],
    ["constitutionalContext.pressure", { a: "52" }, "type"],
    [
      "constitutionalContext.pressure",
      Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`p${index}`, 1])),
      "count",
    ],
    ["constitutionalContext.objectives", [" "], "text"],
    ["constitutionalContext.references", ["a b"], "uri"],
    ["constitutionalContext.cachePolicy", { mode: "always" }, "enum"],
    ["constitutionalContext.cachePolicy", { maxAgeSec: -1 }, "range"],
    ["constitutionalContext.cachePolicy", { maxAgeSec: 1.5 }, "type"],
    ["constitutionalContext.cachePolicy", { mustAlign: "yes" }, "type"],
    ["payload", "text", "type"],
    ["payload", null, "type"],
    ["outputContract", { schema: true }, "type"],
    ["outputContract", { format: "pdf" }, "enum"],
    ["telemetry.priority", "critical", "enum"],
    ["telemetry.budget", { tokens: -1 }, "range"],
    ["telemetry.budget", { tokens: 0.5 }, "type"],
    ["telemetry.budget", { seconds: 0 }, "range"],
    ["telemetry.trace", 1, "type"],
    ["replyTo", { expectAck: true }, "required"],
    ["replyTo", { endpoint: "queue:mine" }, "endpoint"],
    ["replyTo", { endpoint: "bus:inproc:" }, "endpoint"],
    ["attachments", [{ kind: "md" }], "required"],
    ["attachments", [{ uri: "file:a", digest: "md5:00" }], "digest"],
    ["tags", [""], "name"],
    ["meta", [], "type"],
  ])("[SAP-01] is refused when %s is %j, by the rule %s", (path, value, rule) => {
    const violations = violationsIn(changed(path, value));
    expect(violations).toMatchObject([{ rule, fix: expect.stringMatching(/./) }]);
    expect(violations[0]?.path.startsWith(path)).toBe(true);
  });

  it.each([
    ["parentTaskId", undefined],
    ["parentTaskId", "7FBB32B6-0D2C-4C1A-9B75-2A4B3B0B6C0A"],
    ["issuedAt", "2024-02-29T23:59:59Z"],
    ["constitutionalContext.pressure", { a: 0, b: 100, c: 12.5 }],
    ["constitutionalContext.cachePolicy", { mode: "only", maxAgeSec: 0 }],
    ["constitutionalContext.principles", []],
    ["payload", {}],
    ["outputContract", {}],
    ["telemetry", {}],
    ["replyTo", { endpoint: "https://hooks.example/sap?a=b" }],
    ["replyTo", undefined],
    ["attachments", [{ uri: "https://example.org/a.pdf", digest: `sha256:${"ab".repeat(32)}` }]],
  ])("[SAP-01] is read when %s is %j", (path, value) => {
    expect(violationsIn(changed(path, value))).toEqual([]);
  });

  it("[SAP-01] is refused with all its violations at once", () => {
    const { payload: _, ...task } = exampleTask({
      taskId: "x",
      issuedAt: "now",
      issuer: { agentKind: "god" },
    });
    expect(violationsIn(task).map(({ path, rule }) => `${path} ${rule}`)).toEqual([
      "taskId uuid",
      "issuedAt timestamp",
      "issuer.agentId required",
      "issuer.agentKind enum",
      "payload required",
    ]);
  });

  it("[SAP-09] is refused without a quote of what it holds", () => {
    const secret = "sk-ant-REDACTED";
    const violations = violationsIn(
      exampleTask({ taskId: secret, correlationId: 7, issuer: secret, tags: [secret.repeat(20)] }),
    );
    expect(violations).toHaveLength(4);
    expect(JSON.stringify(violations)).not.toContain("sk-ant");
  });

  it.each([
    ["a duplicate key", '{"taskId": "a", "taskId": "b"}', "json", 'at 1:17: the key "taskId" comes twice'],
    [
      "a duplicate key deep in its payload",
      '{"payload": {"a": {"b": 1, "\\u0062": 2}}}',
      "json",
      "comes twice",
    ],
    ["no JSON", "{", "json", "JSON"],
    [
      "a payload that is too deep",
      `{"payload": ${'{"a":'.repeat(100)}1${"}".repeat(100)}}`,
      "size",
      "deeper",
    ],
    ["too many elements", `{"payload": {"a": [${"1,".repeat(30_000)}1]}}`, "size", "elements"],
    ["more than a mebibyte", JSON.stringify({ payload: "x".repeat(sapLimits.taskBytes) }), "size", "bytes"],
  ])("[SAP-01] as a text is refused with %s", (_, text, rule, message) => {
    const reading = readTaskText(text, nowMs);
    expect(reading).toMatchObject({ ok: false, violations: [{ path: "", rule }] });
    expect(reading.ok ? "" : reading.violations[0]?.message).toContain(message);
  });

  it("[SAP-01] as bytes that are no UTF-8 is refused", () => {
    const reading = readTaskText(Uint8Array.from([0x22, 0xff, 0x22]), nowMs);
    expect(reading).toMatchObject({ ok: false, violations: [{ message: "the text is not UTF-8" }] });
  });

  it.each([
    ["constitutionalContext.principles", "p", sapLimits.principles],
    ["constitutionalContext.constraints", "c", sapLimits.constraints],
    ["constitutionalContext.objectives", "o", sapLimits.objectives],
    ["constitutionalContext.references", "r", sapLimits.references],
    ["tags", "t", sapLimits.tags],
  ])("[SAP-01] has a limited number of %s", (path, entry, limit) => {
    const list = Array.from({ length: limit + 1 }, (_, index) => `${entry}${index}`);
    expect(violationsIn(changed(path, list.slice(1)))).toEqual([]);
    expect(violationsIn(changed(path, list))).toMatchObject([{ path, rule: "count" }]);
  });

  it("[SAP-01] keeps unknown fields at every level", () => {
    const unknown = fc.dictionary(
      fc.string({ minLength: 1, maxLength: 10 }).map((name) => `x-${name}`),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(unknown, unknown, unknown, (atTop, inIssuer, inContext) => {
        const task = exampleTask({ ...atTop });
        Object.assign(task.issuer, inIssuer);
        const given = {
          ...task,
          issuer: { ...task.issuer, ...inIssuer },
          constitutionalContext: { ...task.constitutionalContext, ...inContext },
        };
        const reading = readTaskText(JSON.stringify(given), nowMs);
        expect(reading).toEqual({ ok: true, task: JSON.parse(JSON.stringify(given)) });
      }),
      runs,
    );
  });

  it("[SAP-01] that is any JSON at all is read or refused, never an error", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const reading = readTask(value, nowMs);
        expect(reading.ok ? [] : reading.violations.length).not.toBe(0);
      }),
      runs,
    );
  });
});

describe("a Result", () => {
  it("[SAP-01] of the example in the text is read, and keeps what is unknown", () => {
    const given = { ...resultOfTheText, "x-more": [1] };
    expect(ResultSchema.parse(given)).toEqual(given);
  });

  it.each([
    "protocolVersion",
    "taskId",
    "correlationId",
    "reportedAt",
    "producer",
    "status",
    "constitutionalEvidence",
  ])("[SAP-01] without the MUST %s is refused", (name) => {
    const { [name]: _, ...result } = resultOfTheText as Record<string, unknown>;
    expect(ResultSchema.safeParse(result).error?.issues).toMatchObject([{ path: [name] }]);
  });

  it("[SAP-01] without alignment in its evidence is refused", () => {
    const result = { ...resultOfTheText, constitutionalEvidence: { policyChecks: [] } };
    expect(ResultSchema.safeParse(result).error?.issues).toMatchObject([
      { path: ["constitutionalEvidence", "alignment"] },
    ]);
  });

  it.each([
    ["FAILED", "error"],
    ["ESCALATED", "nextActions"],
    ["PARTIAL", "nextActions"],
  ])("[SAP-07] that is %s has %s", (status, name) => {
    const complete = {
      ...{ ...resultOfTheText, status },
      error: { code: "TIMEOUT", message: "the deadline passed" },
      nextActions: [{ action: "wait" }],
    };
    expect(ResultSchema.safeParse(complete).success).toBe(true);
    const { [name]: _, ...without } = complete as Record<string, unknown>;
    expect(ResultSchema.safeParse(without).error?.issues).toMatchObject([{ path: [name] }]);
  });
});
