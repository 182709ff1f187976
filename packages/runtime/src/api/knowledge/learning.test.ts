import {
  Approval,
  AuditEventType,
  CacheMode,
  ChangeHeuristicsRequestSchema,
  GetHeuristicsRequestSchema,
  GiveFeedbackRequestSchema,
  IssuerKind,
  LessonKind,
  ListAuditEntriesRequestSchema,
  ListLessonsRequestSchema,
  ListSignalsRequestSchema,
  type Pipeline,
  PressureLevel,
  ResponseStatus,
  WithdrawLessonRequestSchema,
} from "@baton/contract";
import { goesWithout } from "@baton/kernel";
import { create, type JsonObject, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  ada,
  ended,
  reaches,
  refusalOf,
  silent,
  submit,
  TestAgent,
  testHub,
} from "../../../testing/index.ts";
import { pipelineIdFor } from "../../engine/pipeline-id.ts";
import type { Hub } from "../hub.ts";

let tasks = 0;

/** A governed task whose id decides whether it goes without lessons. */
function governed(without = false, inputs: JsonObject = { topic: "caches" }, cached = false) {
  do tasks++;
  while (goesWithout(pipelineIdFor("acme", `task-${tasks}`)) !== without);
  return {
    idempotencyKey: `task-${tasks}`,
    contract: { taskId: `task-${tasks}`, title: "Write it", acceptanceCriteria: ["it is written"] },
    inputs,
    governance: {
      sapVersion: "2.0",
      taskId: `task-${tasks}`,
      correlationId: `c-${tasks}`,
      issuer: { agentId: "ada", kind: IssuerKind.USER },
      pressureLevel: PressureLevel.INSTANT,
      ...(cached && { cachePolicy: { mode: CacheMode.PREFER } }),
    },
  };
}

async function start() {
  const hub = await testHub();
  const agent = new TestAgent(hub, {
    packId: "dev",
    maxTasks: 100,
    answer: () => ({ response: { status: ResponseStatus.SUCCESS, data: { text: "so" } } }),
  });
  await agent.receive("welcome");
  onTestFinished(() => hub.drain(0));
  const run = async (task: object): Promise<Pipeline> => reaches(hub, await submit(hub, task), ...ended);
  return { hub, agent, run };
}

type Feedback = Extract<MessageInitShape<typeof GiveFeedbackRequestSchema>, { readonly $typeName?: never }>;
const give = (hub: Hub, pipelineId: string, feedback: Feedback, caller = ada) =>
  hub.giveFeedback(caller, create(GiveFeedbackRequestSchema, { pipelineId, ...feedback }));
const lessonsOf = async (hub: Hub) => (await hub.listLessons(ada, create(ListLessonsRequestSchema))).lessons;
const pitfall = (note: string): Feedback => ({ note, rating: 2, lesson: LessonKind.PUNCH_CARD });

describe("what a person thinks of an outcome", () => {
  it("[SAP-06] is stored with its key and in the audit record, and listed, the newest first", async () => {
    const { hub, run } = await start();
    const { pipelineId } = await run(governed());
    const { signal } = await give(hub, pipelineId, { rating: 4, note: "good", approval: Approval.APPROVED });
    await give(hub, pipelineId, { correctionJson: '{"text":"better"}' });
    const { signals } = await hub.listSignals(ada, create(ListSignalsRequestSchema, { pageSize: 1 }));
    expect(signals).toMatchObject([{ pipelineId, correctionJson: '{"text":"better"}', by: "ada" }]);
    expect(signal).toMatchObject({
      rating: 4,
      note: "good",
      approval: Approval.APPROVED,
      capability: "code",
    });
    expect(signal?.fingerprint).toMatch(/^[0-9a-f]{64}$/);
    const listing = create(ListAuditEntriesRequestSchema, { pageSize: 500 });
    const { entries } = await hub.listAuditEntries(ada, listing);
    const changes = entries.filter(({ eventType }) => eventType === AuditEventType.KNOWLEDGE_CHANGED);
    expect(changes.map(({ action }) => action.replace(/[0-9a-f]{64}/, "DIGEST"))).toEqual(
      changes.map(() => `gave feedback on run ${pipelineId}; SHA-256 DIGEST`),
    );
  });

  it("[SAP-06] is refused of agents, of other tenants, of what has not ended, and where nothing is stated", async () => {
    const { hub, run } = await start();
    const { pipelineId } = await run(governed());
    const agent = { ...ada, kind: "agent" } as const;
    const other = { ...ada, tenantId: "zenith" };
    const rating = { rating: 5 };
    expect(await refusalOf(give(hub, pipelineId, rating, agent))).toMatchObject({ kind: "denied" });
    expect(await refusalOf(give(hub, pipelineId, rating, other))).toMatchObject({ kind: "not-found" });
    expect(await refusalOf(give(hub, pipelineId, {}))).toMatchObject({ code: "BATON-QUERY-004" });
    const broken = { correctionJson: "{" };
    expect((await refusalOf(give(hub, pipelineId, broken))).violations).toMatchObject([
      { field: "correction_json" },
    ]);
    const plain = await run({ idempotencyKey: "plain" });
    expect(await refusalOf(give(hub, plain.pipelineId, rating))).toMatchObject({ kind: "precondition" });
  });
});

describe("a lesson", () => {
  it("[SAP-06] is given to later tasks of the same key as data, at most three of them, and to no other task", async () => {
    const { hub, agent, run } = await start();
    const { pipelineId } = await run(governed());
    for (const text of ["one", "two", "three", "four"]) await give(hub, pipelineId, pitfall(text));
    await run(governed());
    expect(agent.envelopes[1]?.lessons).toMatchObject([
      { text: "four", kind: "punch-card", version: 1 },
      { text: "three" },
      { text: "two" },
    ]);
    await run(governed(false, { topic: "another" }));
    expect(agent.envelopes[2]?.lessons).toEqual([]);
    const zenith = { ...ada, tenantId: "zenith" };
    const theirs = new TestAgent(hub, { packId: "dev", tenantId: "zenith", answer: silent });
    await theirs.receive("welcome");
    await submit(hub, governed(), zenith);
    expect((await theirs.envelope()).lessons).toEqual([]);
  });

  it("[SAP-06] is at most 8 KiB, alone and together with others", async () => {
    const { hub, agent, run } = await start();
    const { pipelineId } = await run(governed());
    expect(await refusalOf(give(hub, pipelineId, pitfall("x".repeat(8_193))))).toMatchObject({
      code: "BATON-QUERY-004",
    });
    await give(hub, pipelineId, pitfall("small"));
    await give(hub, pipelineId, pitfall("x".repeat(8_190)));
    await run(governed());
    expect(agent.envelopes[1]?.lessons.map(({ text }) => text.length)).toEqual([8_190]);
  });

  it("[SAP-06] is kept from a share of tasks, and outcomes with and without are compared with their counts", async () => {
    const { hub, agent, run } = await start();
    const { pipelineId } = await run(governed());
    await give(hub, pipelineId, pitfall("mind the gap"));
    for (const [without, rating] of [
      [false, 5],
      [false, 4],
      [true, 2],
    ] as const) {
      const later = await run(governed(without));
      await give(hub, later.pipelineId, { rating, approval: Approval.APPROVED });
    }
    expect(agent.envelopes.map(({ lessons }) => lessons.length)).toEqual([0, 1, 1, 0]);
    const [effect] = await lessonsOf(hub);
    expect(effect).toMatchObject({
      lesson: { text: "mind the gap", sourcePipelineId: pipelineId, by: "ada" },
      withLessons: { count: 2, meanRating: 4.5, approved: 2 },
      withoutLessons: { count: 1, meanRating: 2, approved: 1 },
    });
  });

  it("[SAP-06] that is withdrawn is given to nobody, and its earlier text stays in the store", async () => {
    const { hub, agent, run } = await start();
    const { pipelineId } = await run(governed());
    const { lesson } = await give(hub, pipelineId, pitfall("wrong"));
    const request = create(WithdrawLessonRequestSchema, {
      lessonId: lesson?.lessonId ?? "",
      reason: "not so",
    });
    await hub.withdrawLesson(ada, request);
    await run(governed());
    expect(agent.envelopes[1]?.lessons).toEqual([]);
    const [effect] = await lessonsOf(hub);
    expect(effect?.lesson).toMatchObject({ version: 2, text: "", withdrawnReason: "not so" });
  });

  it("[SAP-06] has no secrets", async () => {
    const { hub, run } = await start();
    const { pipelineId } = await run(governed());
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const { lesson } = await give(hub, pipelineId, pitfall(`never use ${secret}`));
    expect(lesson?.text).not.toContain(secret);
    expect(lesson?.text).toContain("never use");
  });
});

describe("the heuristics", () => {
  const change = (hub: Hub, init: MessageInitShape<typeof ChangeHeuristicsRequestSchema>, caller = ada) =>
    hub.changeHeuristics(
      caller,
      create(ChangeHeuristicsRequestSchema, { reason: "as agreed", ...init } as never),
    );

  it("[SAP-06] let parts of a payload not matter, for later tasks of the capability alone", async () => {
    const { hub, agent, run } = await start();
    const task = (requestId: string) => governed(false, { topic: "caches", requestId }, true);
    await run(task("1"));
    await run(task("2"));
    expect(agent.envelopes).toHaveLength(2);
    await change(hub, { essence: { capability: "code", pointers: ["/requestId"] } });
    await run(task("3"));
    expect((await run(task("4"))).alignment?.cache).toMatchObject({ hit: true });
    expect(agent.envelopes).toHaveLength(3);
    await change(hub, { essence: { capability: "code", pointers: [] } });
    expect((await run(task("1"))).alignment?.cache).toMatchObject({ hit: true });
    expect((await run(task("5"))).alignment?.cache).toMatchObject({ hit: false });
    const { heuristics } = await hub.getHeuristics(ada, create(GetHeuristicsRequestSchema));
    expect(heuristics).toMatchObject({ version: 2n, essence: [], reason: "as agreed", by: "ada" });
  });

  it("[SAP-06] are changed by people alone, and with pointers that are some", async () => {
    const { hub } = await start();
    const agent = { ...ada, kind: "agent" } as const;
    const rule = { essence: { capability: "code", pointers: ["requestId"] } };
    expect((await refusalOf(change(hub, rule))).violations).toMatchObject([{ field: "essence.pointers[0]" }]);
    expect(await refusalOf(change(hub, { harmlessTools: ["search"] }, agent))).toMatchObject({
      kind: "denied",
    });
    expect(await refusalOf(change(hub, {}))).toMatchObject({ code: "BATON-QUERY-004" });
  });
});
