import { assertValid, decodeBinary, encodeBinary, Priority, SubmitTaskRequestSchema } from "@baton/contract";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exampleTask, taskOfTheText } from "../../testing/sap-examples.ts";
import { readTask, type Task, taskFromContract, taskToContract } from "./index.ts";

const nowMs = Date.parse("2025-09-28T10:15:30Z");
const runs = { numRuns: Number(process.env.BATON_FUZZ_RUNS ?? 200) };

function read(given: unknown): Task {
  const reading = readTask(given, nowMs);
  if (!reading.ok) throw new Error(JSON.stringify(reading.violations));
  return reading.task;
}

describe("a Task as a task of the contract", () => {
  it("[SAP-02] has everything where the contract has a place for it", () => {
    const task = read(
      exampleTask({ telemetry: { ...taskOfTheText.telemetry, budget: { tokens: 8000, seconds: 30 } } }),
    );
    const request = taskToContract(task);
    expect(request).toMatchObject({
      idempotencyKey: "sap:7fbb32b6-0d2c-4c1a-9b75-2a4b3b0b6c0a",
      plan: { case: "taskType", value: "consult.align" },
      contract: {
        taskId: task.taskId,
        title: "Outline SAP V2 spec",
        acceptanceCriteria: ["Outline SAP V2 spec"],
        definitionOfDone: ["No PII", "Cite constitutional sources", "The answer is JSON data"],
      },
      refs: [{ uriOrLocator: "ubos://constitution/books" }],
      priority: Priority.HIGH,
      inputs: { topic: "UBOS SAP V2", depth: "detailed" },
      budget: { maxTokens: 8000n },
      timeout: { seconds: 30n },
      governance: {
        sapVersion: "2.0",
        taskId: task.taskId,
        correlationId: task.correlationId,
        issuer: { agentId: "A-prime", name: "AI Prime" },
        packId: "A-ml-001",
        territory: "EUFM",
        replyTo: ["bus:inproc:prime"],
        outputSchema: { type: "object" },
        outputFormat: "json",
        rest: { parentTaskId: null, replyTo: { expectAck: true }, meta: { clientVersion: "ubos/1.7.0" } },
      },
    });
    expect(timestampDate(request.deadline ?? expect.fail()).toISOString()).toBe("2025-09-28T11:00:00.000Z");
  });

  it("[SAP-02] comes back without loss, over the wire, whatever it holds", () => {
    fc.assert(
      fc.property(anyTask, (given) => {
        const task = read(JSON.parse(JSON.stringify(given)));
        const request = taskToContract(task);
        assertValid(SubmitTaskRequestSchema, request, { nowMs: 0 });
        const received = decodeBinary(
          SubmitTaskRequestSchema,
          encodeBinary(SubmitTaskRequestSchema, request),
        );
        expect(taskFromContract(received)).toEqual(task);
        expect(received.governance).toMatchObject({
          taskId: task.taskId,
          parentTaskId: task.parentTaskId ?? "",
          correlationId: task.correlationId,
        });
      }),
      runs,
    );
  });

  it("[SAP-02] that lists the default objective itself comes back with it", () => {
    const task = read(
      exampleTask({
        constitutionalContext: {
          pressureLevel: "instant",
          objectives: ["consult.align is done for the given inputs"],
        },
      }),
    );
    expect(taskFromContract(taskToContract(task))).toEqual(task);
  });
});

const name = fc.stringMatching(/^[a-z][a-z0-9._-]{0,20}$/);
const sentence = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 60 })
  .filter((text) => text.trim() !== "");
const uuid = fc.uuid({ version: [1, 3, 4, 5, 7] });
const instant = fc
  .date({ min: new Date("1970-01-01T00:00:00Z"), max: new Date("2025-01-01T00:00:00Z"), noInvalidDate: true })
  .map((date) => date.toISOString().replace(/\.\d{3}Z$/, "Z"));
const later = fc
  .date({ min: new Date("2026-01-01T00:00:00Z"), max: new Date("9999-12-31T23:59:59Z"), noInvalidDate: true })
  .map((date) => date.toISOString().replace(/\.\d{3}Z$/, "Z"));
const json = fc.jsonValue({ maxDepth: 2 });
const members = fc.dictionary(fc.string({ maxLength: 8 }), json, { maxKeys: 4 });
/** Fields that U does not name. */
const unknown = fc.dictionary(
  fc.oneof(
    fc.string({ maxLength: 6 }).map((text) => `x-${text}`),
    fc.constant("__proto__"),
  ),
  json,
  { maxKeys: 3 },
);
const mixed = (known: fc.Arbitrary<object>) =>
  fc.tuple(known, unknown).map(([own, more]) => ({ ...JSON.parse(JSON.stringify(more)), ...own }));
const some = <T>(one: fc.Arbitrary<T>) => fc.array(one, { maxLength: 4 });

const anyTask = mixed(
  fc.record(
    {
      protocolVersion: fc.constant("2.0"),
      taskId: uuid,
      parentTaskId: fc.option(uuid),
      correlationId: uuid,
      issuedAt: instant,
      issuer: mixed(
        fc.record(
          { agentId: name, agentKind: fc.constantFrom("user", "system", "agent"), name },
          { requiredKeys: ["agentId", "agentKind"] },
        ),
      ),
      target: mixed(
        fc.record(
          { agentId: name, capability: name, routingHints: members },
          { requiredKeys: ["capability"] },
        ),
      ),
      constitutionalContext: mixed(
        fc.record(
          {
            pressureLevel: fc.constantFrom("instant", "consulted", "deliberated"),
            principles: some(name),
            pressure: fc.dictionary(
              name,
              fc.oneof(fc.integer({ min: 0, max: 100 }), fc.double({ min: 0, max: 100, noNaN: true })),
              { maxKeys: 4 },
            ),
            objectives: some(sentence),
            constraints: some(sentence),
            riskTolerance: fc.constantFrom("low", "medium", "high"),
            territory: name,
            references: some(fc.webUrl()),
            cachePolicy: mixed(
              fc.record(
                {
                  mode: fc.constantFrom("prefer", "only", "bypass"),
                  maxAgeSec: fc.nat(),
                  mustAlign: fc.boolean(),
                },
                { requiredKeys: [] },
              ),
            ),
          },
          { requiredKeys: ["pressureLevel"] },
        ),
      ),
      payload: members,
      outputContract: mixed(
        fc.record(
          {
            schema: fc.constantFrom({}, { type: "object" }),
            format: fc.constantFrom("json", "markdown", "text"),
          },
          { requiredKeys: [] },
        ),
      ),
      telemetry: mixed(
        fc.record(
          {
            priority: fc.constantFrom("low", "normal", "high", "urgent"),
            deadline: later,
            budget: mixed(
              fc.record(
                { tokens: fc.nat(), seconds: fc.integer({ min: 1, max: 86_400 }) },
                { requiredKeys: [] },
              ),
            ),
            trace: fc.boolean(),
          },
          { requiredKeys: [] },
        ),
      ),
      replyTo: mixed(
        fc.record(
          {
            endpoint: fc.constantFrom("bus:inproc:prime", "https://hooks.example/a"),
            expectAck: fc.boolean(),
          },
          { requiredKeys: ["endpoint"] },
        ),
      ),
      attachments: some(
        mixed(
          fc.record(
            { uri: fc.webUrl(), kind: name, digest: fc.constant(`sha256:${"0A".repeat(32)}`) },
            { requiredKeys: ["uri"] },
          ),
        ),
      ),
      tags: some(name),
      meta: members,
    },
    {
      requiredKeys: [
        ...(["protocolVersion", "taskId", "correlationId", "issuedAt", "issuer"] as const),
        ...(["target", "constitutionalContext", "payload"] as const),
      ],
    },
  ),
);
