import { hash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  AuditEventType,
  FailureStrategy,
  ListAuditEntriesRequestSchema,
  ListEscalationsRequestSchema,
  Outcome,
  PipelinePolicySchema,
  PipelineStatus,
  ResolveEscalationRequestSchema,
  ResponseStatus,
  StageSchema,
} from "@baton/contract";
import { testPolicy } from "@baton/kernel/testing";
import { type Ack, type Nack, type Result, ResultSchema, TranscriptSchema } from "@baton/protocols/sap";
import { exampleTask, taskOfTheText } from "@baton/protocols/testing/sap";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it, onTestFinished } from "vitest";
import { ada, Lives, reaches, silent, TestAgent, testHub, VirtualClock } from "../../../testing/index.ts";
import type { HubParts } from "../../compose/create-hub.ts";
import type { HookSender } from "../../ports/hook-sender.ts";
import { referenceReader } from "../../references/reference-reader.ts";
import { openMemoryStore } from "../../stores/index.ts";
import type { Hub } from "../hub.ts";

const policy = testPolicy({ routes: { "consult.align": { allowedPackIds: ["A-ml-001", "A-ml-002"] } } });
const sections = { sections: ["Purpose", "Objects", "Learning"] };
const answersSections = () => ({
  response: { status: ResponseStatus.SUCCESS, data: sections, message: "here they are" },
  usage: { inputTokens: 2100n, outputTokens: 600n },
});

function hubFor(parts: Partial<HubParts> = {}) {
  return testHub({ policy, clock: new VirtualClock(Date.parse("2025-09-28T10:15:30Z")), ...parts });
}

/** An agent that the hub knows. */
async function attach(
  hub: Hub,
  answer: ConstructorParameters<typeof TestAgent>[1]["answer"] = answersSections,
) {
  const agent = new TestAgent(hub, { packId: "A-ml-001", taskTypes: ["consult.align"], answer });
  await agent.receive("welcome");
  return agent;
}

async function acknowledged(hub: Hub, task: unknown = exampleTask()): Promise<Ack> {
  const answer = await hub.sap.submit(ada, task);
  if (answer.kind !== "ack") throw new Error(JSON.stringify(answer));
  return answer as Ack;
}

async function refused(answer: Promise<unknown>): Promise<Nack> {
  const nack = (await answer) as Nack;
  if (nack.kind !== "nack") throw new Error(JSON.stringify(nack));
  return nack;
}

async function allResults(hub: Hub, taskId = exampleTask().taskId, after = 0): Promise<Result[]> {
  const results: Result[] = [];
  const following = await hub.sap.follow(ada, taskId, after, new AbortController().signal);
  if (!(Symbol.asyncIterator in following)) throw new Error(JSON.stringify(following));
  for await (const { number, result } of following) {
    expect(number).toBe(after + results.length + 1);
    results.push(ResultSchema.parse(result));
  }
  return results;
}

const statusesOf = (results: readonly Result[]) => results.map(({ status }) => status);

describe("a governed task", () => {
  it("[SAP-01] of the text is answered by a Nack that names pressureLevel", async () => {
    const nack = await refused((await hubFor()).sap.submit(ada, taskOfTheText));
    expect(nack).toMatchObject({
      taskId: taskOfTheText.taskId,
      correlationId: taskOfTheText.correlationId,
      rejectedAt: "2025-09-28T10:15:30Z",
      error: {
        code: "INVALID_TASK",
        message: "constitutionalContext.pressureLevel: is missing",
        details: { violations: [{ path: "constitutionalContext.pressureLevel", rule: "required" }] },
      },
    });
  });

  it("[SAP-02] [SAP-03] of the text with that field runs to a Result like that of the text", async () => {
    const hub = await hubFor();
    const agent = await attach(hub);
    const task = exampleTask({ telemetry: taskOfTheText.telemetry });
    const ack = await acknowledged(hub, task);
    expect(ack).toMatchObject({ taskId: task.taskId, correlationId: task.correlationId, existing: false });
    const results = await allResults(hub);
    expect(statusesOf(results)).toEqual(["RUNNING", "SUCCEEDED"]);
    expect(results.at(-1)).toMatchObject({
      protocolVersion: "2.0",
      taskId: task.taskId,
      correlationId: task.correlationId,
      producer: { agentId: "A-ml-001", agentKind: "agent" },
      status: "SUCCEEDED",
      output: sections,
      metrics: { tokensIn: 2100, tokensOut: 600 },
      constitutionalEvidence: {
        alignment: "VALID",
        pressureReadings: { systems_over_willpower: 52, blueprint_thinking: 41, strategic_pause: 28 },
        cache: { hit: false },
      },
    });
    const [envelope] = agent.envelopes;
    expect(envelope).toMatchObject({
      contract: { acceptanceCriteria: ["Outline SAP V2 spec"] },
      inputs: { topic: "UBOS SAP V2", depth: "detailed" },
    });
  });

  it("[SAP-02] is a run like any other: it is in the lists and has a question in the inbox", async () => {
    const hub = await hubFor();
    const { pipelineId } = await acknowledged(hub);
    const run = await reaches(hub, pipelineId, PipelineStatus.RUNNING);
    expect(run).toMatchObject({ sourceTaskId: taskOfTheText.taskId, waitsForPerson: true });
    expect(run.governance?.correlationId).toBe(taskOfTheText.correlationId);
    expect(run.policy?.budget?.maxTokens).toBe(8000n);
  });

  it("[SAP-01] keeps the taskId as its key: the same task is one run, other content is refused", async () => {
    const hub = await hubFor();
    await attach(hub);
    const first = await acknowledged(hub);
    await allResults(hub);
    const reordered = Object.fromEntries(Object.entries(exampleTask()).toReversed());
    const second = await acknowledged(hub, reordered);
    expect(second).toMatchObject({ existing: true, pipelineId: first.pipelineId, status: "SUCCEEDED" });
    const other = exampleTask({ payload: { topic: "another" } });
    expect(await refused(hub.sap.submit(ada, other))).toMatchObject({
      error: {
        code: "INVALID_TASK",
        details: { code: "BATON-SAP-002", violations: [{ path: "taskId", rule: "conflict" }] },
      },
    });
  });

  it("[SAP-01] submitted fifty times at once is one run", async () => {
    const hub = await hubFor();
    const agent = await attach(hub);
    const acks = await Promise.all(Array.from({ length: 50 }, () => acknowledged(hub)));
    expect(new Set(acks.map(({ pipelineId }) => pipelineId)).size).toBe(1);
    expect(acks.filter(({ existing }) => !existing)).toHaveLength(1);
    await allResults(hub);
    expect(agent.envelopes).toHaveLength(1);
  });

  it("[SAP-08] is acknowledged again after its deadline has passed, and a new one is refused", async () => {
    const clock = new VirtualClock(Date.parse("2025-09-28T10:15:30Z"));
    const hub = await hubFor({ clock });
    await attach(hub);
    const task = exampleTask({ telemetry: { deadline: "2025-09-28T10:16:00Z" } });
    await acknowledged(hub, task);
    await allResults(hub);
    await clock.pass(60_000);
    expect(await acknowledged(hub, task)).toMatchObject({ existing: true });
    const late = { ...task, taskId: "0b2f1f9e-7a0e-4a53-9f5c-2f3b6f0a9b11" };
    expect(await refused(hub.sap.submit(ada, late))).toMatchObject({
      error: { code: "TIMEOUT", details: { violations: [{ path: "telemetry.deadline" }] } },
    });
  });

  it.each([
    ["target.capability", { capability: "consult.nobody" }],
    ["target.agentId", { capability: "consult.align", agentId: "A-other" }],
  ])("[SAP-02] without a route is not found, by %s", async (path, target) => {
    const hub = await hubFor();
    expect(await refused(hub.sap.submit(ada, exampleTask({ target })))).toMatchObject({
      error: { code: "NOT_FOUND", details: { code: "BATON-SAP-003", violations: [{ path, fix: /./ }] } },
    });
  });

  it("[SAP-02] goes to the agent that it names, and to no other", async () => {
    const hub = await hubFor();
    const other = await attach(hub);
    const named = new TestAgent(hub, {
      packId: "A-ml-002",
      taskTypes: ["consult.align"],
      answer: answersSections,
    });
    await named.receive("welcome");
    await acknowledged(hub, exampleTask({ target: { capability: "consult.align", agentId: "A-ml-002" } }));
    const [last] = (await allResults(hub)).slice(-1);
    expect(last?.producer.agentId).toBe("A-ml-002");
    expect([named.envelopes.length, other.envelopes.length]).toEqual([1, 0]);
  });

  it("[SAP-08] fails when the output breaks its schema, and the agent learns why", async () => {
    const clock = new VirtualClock(Date.parse("2025-09-28T10:15:30Z"));
    const hub = await hubFor({ clock });
    const agent = await attach(hub);
    const outputContract = { schema: { type: "object", required: ["verdict"] } };
    await acknowledged(hub, exampleTask({ outputContract }));
    for (let minutes = 0; minutes < 60; minutes++) await clock.pass(60_000);
    const last = (await hub.sap.result(ada, exampleTask().taskId)) as Result;
    expect(last).toMatchObject({ status: "FAILED", error: { code: "UNPROCESSABLE", message: /./ } });
    expect(last).not.toHaveProperty("output");
    expect(agent.envelopes.length).toBeGreaterThan(1);
  });

  it.each([
    ["that nothing satisfies", { type: "object", minProperties: 2, maxProperties: 1 }],
    ["that is no schema", { type: "everything" }],
    ["that is a bomb", bomb()],
  ])("[SAP-08] with a schema %s is refused at its place", async (_, schema) => {
    const nack = await refused((await hubFor()).sap.submit(ada, exampleTask({ outputContract: { schema } })));
    expect(nack.error.code).toBe("INVALID_TASK");
    expect(nack.error.details?.violations?.[0]?.path).toMatch(/^outputContract\.schema/);
  });

  it("[SAP-08] reports text where it asks for text", async () => {
    const hub = await hubFor();
    await attach(hub);
    await acknowledged(hub, exampleTask({ outputContract: { format: "markdown" } }));
    expect((await allResults(hub)).at(-1)).toMatchObject({ output: "here they are" });
  });

  it("[SAP-08] with telemetry.trace reports where the time of each stage went", async () => {
    const hub = await hubFor();
    await attach(hub);
    await acknowledged(hub, exampleTask({ telemetry: { trace: true } }));
    expect((await allResults(hub)).at(-1)?.meta).toMatchObject({
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      trace: [{ stageId: "consult.align", attempt: 1, agentId: "A-ml-001", startedAt: /Z$/ }],
    });
  });

  it("[SAP-08] ends attempts after budget.seconds", async () => {
    const clock = new VirtualClock(Date.parse("2025-09-28T10:15:30Z"));
    const hub = await hubFor({ clock });
    const agent = await attach(hub, silent);
    await acknowledged(hub, exampleTask({ telemetry: { budget: { seconds: 30 } } }));
    expect((await agent.envelope()).execution?.timeout?.seconds).toBe(30n);
    for (let beats = 0; beats < 60; beats++) {
      agent.beat();
      await clock.pass(10_000);
    }
    expect(await hub.sap.result(ada, exampleTask().taskId)).toMatchObject({
      status: "FAILED",
      error: { code: "TIMEOUT", message: expect.stringContaining("no result") },
    });
  });

  it("[SAP-07] that the agent fails is FAILED, with a message and the code of the agent", async () => {
    const hub = await hubFor();
    await attach(hub, () => ({
      status: {
        outcome: Outcome.NON_RETRYABLE_FAILURE,
        failureCode: "FORBIDDEN",
        failureReason: "the archive is closed",
      },
    }));
    await acknowledged(hub);
    expect((await allResults(hub)).at(-1)).toMatchObject({
      status: "FAILED",
      error: { code: "FORBIDDEN", message: expect.stringContaining("the archive is closed") },
    });
  });

  it("[SAP-03] [SAP-07] is ESCALATED with next actions while a question is open, and runs again once it is decided", async () => {
    const hub = await hubFor();
    const agent = await attach(hub, (envelope) =>
      envelope.clarifications.length > 0
        ? answersSections()
        : { response: { status: ResponseStatus.CLARIFICATION_NEEDED, message: "Which edition?" } },
    );
    await acknowledged(hub);
    const until = new AbortController();
    const following = await hub.sap.follow(ada, exampleTask().taskId, 0, until.signal);
    if (!(Symbol.asyncIterator in following)) throw new Error("it exists");
    const results: Result[] = [];
    for await (const { result } of following) {
      results.push(result);
      if (result.status !== "ESCALATED") continue;
      expect(ResultSchema.parse(result)).toMatchObject({
        nextActions: [{ action: "decide", problem: "Which edition?", options: ["answer", "abort"] }],
      });
      const escalationId = String(result.nextActions?.[0]?.escalationId);
      await hub.resolveEscalation(
        ada,
        create(ResolveEscalationRequestSchema, { escalationId, resolution: "answer", reason: "the second" }),
      );
    }
    expect(statusesOf(results)).toEqual(["RUNNING", "ESCALATED", "RUNNING", "SUCCEEDED"]);
    expect(agent.envelopes.at(-1)?.clarifications).toMatchObject([{ question: "Which edition?" }]);
  });

  it("[SAP-03] is CANCELLED by a cancel, which does nothing to one that has ended", async () => {
    const hub = await hubFor();
    const agent = await attach(hub, silent);
    await acknowledged(hub);
    await agent.envelope();
    const cancelled = await hub.sap.cancel(ada, exampleTask().taskId, "not needed");
    expect(cancelled).toMatchObject({ status: "CANCELLED", meta: { reason: "not needed" } });
    expect(await hub.sap.cancel(ada, exampleTask().taskId, "again")).toEqual(cancelled);
    expect(statusesOf(await allResults(hub))).toEqual(["RUNNING", "CANCELLED"]);
    await agent.receive("cancel");
  });

  it("[SAP-03] is followed from any number on, without loss or repetition, also after a restart", async () => {
    const lives = new Lives(openMemoryStore());
    const first = await lives.begin({ policy });
    const task = exampleTask({ issuedAt: "2025-01-01T00:00:00Z" });
    await attach(first.hub);
    await acknowledged(first.hub, task);
    const all = await allResults(first.hub);
    first.kill();
    const { hub } = await lives.begin({ policy });
    for (let after = 0; after <= all.length; after++)
      expect(await allResults(hub, task.taskId, after)).toEqual(all.slice(after));
    expect(await hub.sap.result(ada, task.taskId)).toEqual(all.at(-1));
  });

  it("[SAP-09] has a transcript of Task and Results, with their entries in the hash chain", async () => {
    const hub = await hubFor();
    await attach(hub);
    const task = exampleTask({ "x-unknown": { kept: [1, null] } });
    await acknowledged(hub, task);
    const results = await allResults(hub);
    const transcript = TranscriptSchema.parse(await hub.sap.transcript(ada, task.taskId));
    expect(transcript.task).toEqual(JSON.parse(JSON.stringify(task)));
    expect(transcript.results).toEqual(results);
    expect(transcript.record.map(({ eventType }) => eventType)).toEqual(
      expect.arrayContaining(["PIPELINE_CREATED", "DISPATCH_DECISION", "PIPELINE_COMPLETED"]),
    );
    const { entries } = await hub.listAuditEntries(
      ada,
      create(ListAuditEntriesRequestSchema, { filter: "event_type = AUDIT_EVENT_TYPE_PIPELINE_CREATED" }),
    );
    expect(entries[0]?.rationale).toBe(
      `Outline SAP V2 spec (task ${task.taskId}, correlation ${task.correlationId}, content ${transcript.taskDigest})`,
    );
    expect(transcript.record[0]?.hash).toBe(
      `sha256:${Buffer.from(entries[0]?.entryHash ?? []).toString("hex")}`,
    );
    const again = TranscriptSchema.parse(await hub.sap.transcript(ada, task.taskId));
    expect(again).toEqual(transcript);
    expect(AuditEventType).toHaveProperty(transcript.record[0]?.eventType ?? "");
  });
});

describe("attachments of a governed task", () => {
  async function served(content: string) {
    const server = createServer((_, response) => void response.end(content)).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/spec.md`;
  }

  const digestOf = (content: string) => `sha256:${hash("sha256", content)}`;
  const reading = () => referenceReader({ hosts: ["127.0.0.1"] });

  it("[SAP-08] are refs of the task when their digests match", async () => {
    const uri = await served("the text");
    const hub = await hubFor({ references: reading() });
    const agent = await attach(hub);
    await acknowledged(
      hub,
      exampleTask({ attachments: [{ uri, kind: "md", digest: digestOf("the text") }] }),
    );
    await allResults(hub);
    expect(agent.envelopes[0]?.refs.map(({ uriOrLocator }) => uriOrLocator)).toContain(uri);
  });

  it("[SAP-08] with another digest are unprocessable", async () => {
    const uri = await served("another text");
    const hub = await hubFor({ references: reading() });
    const attachments = [{ uri: "https://unread.example/a" }, { uri, digest: digestOf("the text") }];
    expect(await refused(hub.sap.submit(ada, exampleTask({ attachments })))).toMatchObject({
      error: {
        code: "UNPROCESSABLE",
        details: { violations: [{ path: "attachments[1].digest", rule: "digest" }] },
      },
    });
  });

  it.each(["file:///etc/passwd", "/etc/passwd", "ubos://books", "http://169.254.169.254/latest"])(
    "[SAP-08] at %s are not read to compare a digest",
    async (uri) => {
      const hub = await hubFor({ references: reading() });
      const attachments = [{ uri, digest: digestOf("") }];
      expect(await refused(hub.sap.submit(ada, exampleTask({ attachments })))).toMatchObject({
        error: {
          code: "UNPROCESSABLE",
          details: { violations: [{ path: "attachments[0].uri", rule: "readable" }] },
        },
      });
    },
  );
});

describe("the reply route of a governed task", () => {
  const url = "https://hooks.example/sap";
  const webhooks = {
    ...{ hosts: ["hooks.example"], notifications: [] },
    signing: { others: [{ env: "HOOK_SECRET" }], tenants: new Map() },
  };
  const env = { HOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString("base64")}` };
  type Outcome = Awaited<ReturnType<HookSender["send"]>>;

  async function hooked(outcome: Outcome) {
    const sent: Result[] = [];
    const sender: HookSender = {
      async send({ body }) {
        sent.push(JSON.parse(Buffer.from(body).toString()));
        return outcome;
      },
    };
    return { sent, hub: await hubFor({ webhooks, hooks: { env, sender } }) };
  }

  it("[SAP-08] receives the same Result that is read", async () => {
    const { hub, sent } = await hooked({ ok: true });
    await attach(hub);
    await acknowledged(hub, exampleTask({ replyTo: { endpoint: url } }));
    const results = await allResults(hub);
    await expect.poll(() => sent.length).toBe(1);
    expect(ResultSchema.parse(sent[0])).toEqual(results.at(-1));
  });

  it("[SAP-08] that is gone leaves the status of the task as it is", async () => {
    const { hub, sent } = await hooked({ ok: false, reason: "gone", gone: true });
    const agent = await attach(hub, silent);
    await acknowledged(hub, exampleTask({ replyTo: { endpoint: url }, telemetry: { trace: true } }));
    await agent.envelope();
    await expect.poll(() => sent.length).toBeGreaterThan(0);
    await expect
      .poll(
        async () => (await hub.listEscalations(ada, create(ListEscalationsRequestSchema))).escalations.length,
      )
      .toBe(1);
    expect(await hub.sap.result(ada, exampleTask().taskId)).toMatchObject({ status: "RUNNING" });
    agent.answer(await agent.envelope(), answersSections());
    expect(statusesOf(await allResults(hub))).toEqual(["RUNNING", "SUCCEEDED"]);
  });

  it.each(["https://10.0.0.1/inward", "http://hooks.other.example/plain"])(
    "[SAP-08] %s is refused at its place",
    async (endpoint) => {
      const { hub } = await hooked({ ok: true });
      expect(await refused(hub.sap.submit(ada, exampleTask({ replyTo: { endpoint } })))).toMatchObject({
        error: { code: "INVALID_TASK", details: { violations: [{ path: "replyTo.endpoint" }] } },
      });
    },
  );
});

describe("a governed task of a template", () => {
  /** Only outcomes of single stages are reused. */
  const constitutionalContext = {
    ...exampleTask().constitutionalContext,
    cachePolicy: { mode: "bypass" },
  };
  const stage = (stageId: string, required: boolean, dependsOnStages: string[] = []) =>
    create(StageSchema, { stageId, taskType: "consult.align", config: { required, dependsOnStages } });
  const skipping = create(PipelinePolicySchema, { failureStrategy: FailureStrategy.SKIP_FAILED });
  const template = {
    ...{ templateId: "report", name: "Report", description: "", policy: skipping },
    stages: [stage("draft", true), stage("polish", false, ["draft"])],
  };

  it("[SAP-03] is PARTIAL with the tasks that would do the rest, where stages were skipped", async () => {
    const hub = await hubFor({ templates: new Map([["report", template]]) });
    const failure = { outcome: Outcome.NON_RETRYABLE_FAILURE, failureReason: "no taste" };
    let stages = 0;
    await attach(hub, () => (++stages === 1 ? answersSections() : { status: failure }));
    await acknowledged(
      hub,
      exampleTask({
        ...{ constitutionalContext, target: { capability: "report" } },
        outputContract: { format: "json" },
      }),
    );
    expect((await allResults(hub)).at(-1)).toMatchObject({
      status: "PARTIAL",
      output: sections,
      nextActions: [
        {
          action: "run",
          stageId: "polish",
          task: {
            parentTaskId: exampleTask().taskId,
            correlationId: exampleTask().correlationId,
            target: { capability: "consult.align" },
          },
          reason: expect.stringContaining("no taste"),
        },
      ],
    });
  });

  it.each([
    ["target.agentId", { target: { capability: "report", agentId: "A-ml-001" } }],
    ["outputContract.schema", { target: { capability: "report" } }],
  ])("[SAP-08] refuses %s, which its stages have", async (path, changes) => {
    const hub = await hubFor({ templates: new Map([["report", template]]) });
    const task = exampleTask({ constitutionalContext, ...changes });
    expect(await refused(hub.sap.submit(ada, task))).toMatchObject({
      error: { code: "INVALID_TASK", details: { violations: [{ path }] } },
    });
  });
});

describe("governed tasks of another tenant", () => {
  const eve = { ...ada, tenantId: "other", id: "eve" };

  it("[SAP-09] answer as if they were absent, on every path", async () => {
    const hub = await hubFor();
    await attach(hub);
    await acknowledged(hub);
    const present = exampleTask().taskId;
    const absent = "0b2f1f9e-7a0e-4a53-9f5c-2f3b6f0a9b11";
    const { signal } = new AbortController();
    const paths = (taskId: string) => [
      hub.sap.result(eve, taskId),
      hub.sap.follow(eve, taskId, 0, signal),
      hub.sap.cancel(eve, taskId, "mine"),
      hub.sap.transcript(eve, taskId),
    ];
    const plain = ({ error }: Nack) => error;
    const seen = (await Promise.all(paths(present).map(refused))).map(plain);
    expect(seen).toEqual((await Promise.all(paths(absent).map(refused))).map(plain));
    expect(new Set(seen.map(({ code }) => code))).toEqual(new Set(["NOT_FOUND"]));
    expect(statusesOf(await allResults(hub)).at(-1)).toBe("SUCCEEDED");
  });

  it("[SAP-09] do not take its taskIds: the same id is another task there", async () => {
    const hub = await hubFor();
    const first = await acknowledged(hub);
    const other = await hub.sap.submit(eve, exampleTask({ payload: { topic: "mine" } }));
    expect(other).toMatchObject({ kind: "ack", existing: false });
    expect((other as Ack).pipelineId).not.toBe(first.pipelineId);
  });
});

/** Each level refers twice to the next one. */
function bomb() {
  const levels = Array.from({ length: 40 }, (_, level) => {
    const next = { $ref: `#/$defs/l${level + 1}` };
    return [`l${level}`, { anyOf: [next, next] }];
  });
  return { $ref: "#/$defs/l0", $defs: { ...Object.fromEntries(levels), l40: { type: "object" } } };
}
