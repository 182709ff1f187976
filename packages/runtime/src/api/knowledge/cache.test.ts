import {
  AlignmentVerdict,
  AuditEventType,
  CacheMode,
  EscalationKind,
  GetCacheRecordRequestSchema,
  GetTransitionsRequestSchema,
  type GovernanceSchema,
  IssuerKind,
  ListAuditEntriesRequestSchema,
  ListCacheRecordsRequestSchema,
  ListEscalationsRequestSchema,
  Outcome,
  type Pipeline,
  PipelineStatus,
  PressureLevel,
  ResponseStatus,
  RevokeCacheRecordRequestSchema,
  RewindPipelineRequestSchema,
  RiskTier,
  type TaskEnvelope,
} from "@baton/contract";
import { constitutionOf, testPolicy } from "@baton/kernel/testing";
import { create, type JsonObject, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  ada,
  ended,
  eventually,
  Lives,
  reaches,
  read,
  refusalOf,
  silent,
  submit,
  TestAgent,
  testHub,
} from "../../../testing/index.ts";
import { completed, invoked } from "../../agents/testing/reports.ts";
import { openMemoryStore } from "../../stores/index.ts";
import type { Hub } from "../hub.ts";

type Terms = Extract<MessageInitShape<typeof GovernanceSchema>, { readonly $typeName?: never }>;

let tasks = 0;

/** A governed task of its own id. */
function governed(terms: Terms = {}, inputs: JsonObject = { topic: "caches" }) {
  tasks++;
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
      cachePolicy: { mode: CacheMode.PREFER },
      ...terms,
    },
  };
}

const answered = (text: string) => ({
  response: { status: ResponseStatus.SUCCESS, data: { text }, message: "written" },
});

/** A hub and an agent that counts its answers. */
async function start(
  answer: (envelope: TaskEnvelope, count: number) => object | undefined = (_, n) => answered(`answer ${n}`),
  parts: Parameters<typeof testHub>[0] = {},
) {
  const hub = await testHub(parts);
  let count = 0;
  const agent = new TestAgent(hub, {
    packId: "dev",
    maxTasks: 100,
    answer: (envelope) => answer(envelope, ++count),
  });
  await agent.receive("welcome");
  onTestFinished(() => hub.drain(0));
  return { hub, agent };
}

async function run(hub: Hub, task: ReturnType<typeof governed>, caller = ada): Promise<Pipeline> {
  const pipelineId = await submit(hub, task, caller);
  return caller === ada ? reaches(hub, pipelineId, ...ended) : read(hub, pipelineId, caller);
}

const textOf = ({ stages: [stage] }: Pipeline) => stage?.result?.response?.data?.text;
const cacheOf = ({ alignment }: Pipeline) => alignment?.cache;
const audited = async (hub: Hub) =>
  (await hub.listAuditEntries(ada, create(ListAuditEntriesRequestSchema, { pageSize: 500 }))).entries;
const listed = async (hub: Hub, caller = ada) =>
  (await hub.listCacheRecords(caller, create(ListCacheRecordsRequestSchema))).records;

describe("an identical task", () => {
  it("[SAP-05] is answered from the cache: nothing is sent, and the answer names the task it comes from", async () => {
    const { hub, agent } = await start();
    const first = await run(hub, governed());
    const second = await run(hub, governed());
    expect([textOf(first), textOf(second)]).toEqual(["answer 1", "answer 1"]);
    expect(agent.envelopes).toHaveLength(1);
    expect(cacheOf(first)).toMatchObject({ hit: false, missReason: "no outcome is stored" });
    expect(cacheOf(second)).toMatchObject({
      hit: true,
      sourceTaskId: first.governance?.taskId,
      sourcePipelineId: first.pipelineId,
      cacheKey: cacheOf(first)?.cacheKey,
    });
    expect(second.status).toBe(PipelineStatus.COMPLETED);
    expect(second.summary?.usage).toMatchObject({ inputTokens: 0n, outputTokens: 0n });
  });

  it("[SAP-05] has the same key whatever the order of members, principles and constraints, and another for anything that counts", async () => {
    const { hub, agent } = await start();
    const same = [
      governed(
        { principles: ["a", "b"], constraints: ["x", "y"] },
        { topic: "t", depth: { a: 1, b: [1, 2] } },
      ),
      governed(
        { principles: ["b", "a"], constraints: ["y", "x"] },
        { depth: { b: [1, 2], a: 1 }, topic: "t" },
      ),
    ];
    for (const task of same) await run(hub, task);
    expect(agent.envelopes).toHaveLength(1);
    const others = [
      governed({ principles: ["a"], constraints: ["x", "y"] }, { topic: "t", depth: { a: 1, b: [1, 2] } }),
      governed({ principles: ["a", "b"], constraints: ["x"] }, { topic: "t", depth: { a: 1, b: [1, 2] } }),
      governed(
        { principles: ["a", "b"], constraints: ["x", "y"] },
        { topic: "t", depth: { a: 1, b: [2, 1] } },
      ),
      governed({ ...same[0]?.governance, territory: "EUFM" }, same[0]?.inputs),
      governed({ ...same[0]?.governance, riskTolerance: 3 }, same[0]?.inputs),
      governed({ ...same[0]?.governance, sapVersion: "2.1" }, same[0]?.inputs),
      governed({ ...same[0]?.governance, capability: "report.write" }, same[0]?.inputs),
      governed({ ...same[0]?.governance, outputSchema: { type: "object" } }, same[0]?.inputs),
      governed({ ...same[0]?.governance, outputFormat: "json" }, same[0]?.inputs),
    ];
    const runs = [];
    for (const task of others) runs.push(await run(hub, task));
    expect(runs.map((one) => cacheOf(one)?.hit)).toEqual(others.map(() => false));
    expect(new Set(runs.map((one) => cacheOf(one)?.cacheKey)).size).toBe(others.length);
  });

  it("[SAP-05] of another tenant never hits, and learns nothing of the cache", async () => {
    const { hub } = await start();
    const first = await run(hub, governed());
    const other = { tenantId: "zenith", id: "eve", kind: "human" } as const;
    const agent = new TestAgent(hub, { packId: "dev", tenantId: "zenith", maxTasks: 9, answer: silent });
    await agent.receive("welcome");
    const pipelineId = await submit(hub, governed(), other);
    await agent.envelope();
    const theirs = await read(hub, pipelineId, other);
    expect(cacheOf(theirs)).toMatchObject({ hit: false });
    expect(cacheOf(theirs)?.cacheKey).not.toBe(cacheOf(first)?.cacheKey);
    expect(await listed(hub, other)).toEqual([]);
    const cacheKey = cacheOf(first)?.cacheKey ?? "";
    const get = (key: string) =>
      hub.getCacheRecord(other, create(GetCacheRecordRequestSchema, { cacheKey: key }));
    const foreign = await refusalOf(get(cacheKey));
    const absent = await refusalOf(get("0".repeat(64)));
    expect(foreign.message.replace(cacheKey, "")).toBe(absent.message.replace("0".repeat(64), ""));
    const revoke = create(RevokeCacheRecordRequestSchema, { cacheKey, reason: "mine" });
    expect(await refusalOf(hub.revokeCacheRecord(other, revoke))).toMatchObject({ kind: "not-found" });
  });
});

describe("the mode of a cache policy", () => {
  it("[SAP-05] only fails with CACHE_MISS and sends nothing, and is answered once there is an outcome", async () => {
    const { hub, agent } = await start();
    const only = { cachePolicy: { mode: CacheMode.ONLY } };
    const missed = await run(hub, governed(only));
    expect(missed).toMatchObject({
      status: PipelineStatus.FAILED,
      statusReason: "CACHE_MISS: no outcome is stored, and the task is not executed without one",
    });
    expect(agent.envelopes).toHaveLength(0);
    await run(hub, governed());
    expect(textOf(await run(hub, governed(only)))).toBe("answer 1");
  });

  it("[SAP-05] bypass neither reads nor writes, and so does a task without a policy", async () => {
    const { hub } = await start();
    const bypass = governed({ cachePolicy: { mode: CacheMode.BYPASS } });
    const texts = [textOf(await run(hub, bypass))];
    const { cachePolicy: _, ...governance } = governed().governance;
    texts.push(textOf(await run(hub, { ...governed(), governance } as ReturnType<typeof governed>)));
    expect(await listed(hub)).toEqual([]);
    texts.push(textOf(await run(hub, governed())));
    texts.push(textOf(await run(hub, governed({ cachePolicy: { mode: CacheMode.BYPASS } }))));
    expect(texts).toEqual(["answer 1", "answer 2", "answer 3", "answer 4"]);
    expect(await listed(hub)).toHaveLength(1);
  });

  it("[SAP-05] that a task could not follow is refused", async () => {
    const { hub } = await start();
    const task = governed();
    const workspace = { repository: "/work/shop" };
    expect(await refusalOf(submit(hub, { ...task, workspace }))).toMatchObject({
      code: "BATON-PIPELINE-001",
      violations: [{ field: "governance.cache_policy" }],
    });
  });
});

describe("the age of an outcome", () => {
  it("[SAP-05] counts: one that is too old is a miss, and the new one replaces it without changing it", async () => {
    const { hub, agent } = await start();
    await run(hub, governed());
    const [first] = await listed(hub);
    const fresh = await run(
      hub,
      governed({ cachePolicy: { mode: CacheMode.PREFER, maxAge: { seconds: 0n } } }),
    );
    expect(cacheOf(fresh)?.missReason).toMatch(/^the stored outcome is \d+ s old, and the task accepts 0 s$/);
    expect(agent.envelopes).toHaveLength(2);
    expect(textOf(await run(hub, governed()))).toBe("answer 2");
    const records = await listed(hub);
    expect(records).toHaveLength(2);
    expect(records[1]).toEqual(first);
  });
});

describe("an outcome", () => {
  const refusals: readonly (readonly [string, object, string])[] = [
    ["that failed", { status: { outcome: Outcome.NON_RETRYABLE_FAILURE, failureReason: "no" } }, ""],
    ["with artifacts", { artifacts: [{ path: "a.txt" }] }, "it has artifacts besides its output"],
    ["that is too large", answered("x".repeat(1024 * 1024)), "bytes, and 1048576 are allowed"],
  ];

  it.each(refusals)("[SAP-05] %s is not stored", async (_, result, reason) => {
    const { hub } = await start(() => result);
    const first = await submit(hub, governed());
    await reaches(hub, first, ...ended, PipelineStatus.PAUSED);
    expect(await listed(hub)).toEqual([]);
    const entries = await audited(hub);
    const stored = entries.find(({ eventType }) => eventType === AuditEventType.CACHE_STORED);
    expect(stored?.rationale ?? "").toContain(reason);
  });

  it("[SAP-05] for which a tool was used is not stored: it may act on the world", async () => {
    const { hub, agent } = await start(silent);
    const pipelineId = await submit(hub, governed());
    const envelope = await agent.envelope();
    for (const message of [invoked("1", "deploy"), completed("1")])
      agent.say(message, envelope.execution?.dispatchId);
    agent.answer(envelope, answered("deployed"));
    await reaches(hub, pipelineId, ...ended);
    expect(await listed(hub)).toEqual([]);
  });

  it("[SAP-05] was produced for a risk: a task of a higher one is executed", async () => {
    const { hub, agent } = await start();
    await run(hub, { ...governed(), riskTier: RiskTier.LOW } as ReturnType<typeof governed>);
    const critical = { ...governed(), riskTier: RiskTier.NORMAL } as ReturnType<typeof governed>;
    expect(cacheOf(await run(hub, critical))?.missReason).toBe(
      "the stored outcome was produced for a lower risk tier",
    );
    expect(agent.envelopes).toHaveLength(2);
  });

  it("[SAP-05] that is revoked answers nothing more, stays readable, and is in the audit record with its digest", async () => {
    const { hub } = await start();
    const first = await run(hub, governed());
    const cacheKey = cacheOf(first)?.cacheKey ?? "";
    const revoke = create(RevokeCacheRecordRequestSchema, { cacheKey, reason: "it is wrong" });
    const { record } = await hub.revokeCacheRecord(ada, revoke);
    expect(record).toMatchObject({ cacheKey, revocation: { reason: "it is wrong", by: "ada" } });
    const second = await run(hub, governed());
    expect(cacheOf(second)?.missReason).toBe("the stored outcome is revoked: it is wrong");
    const records = await listed(hub);
    expect(records.map(({ revocation }) => revocation?.reason)).toEqual([
      undefined,
      "it is wrong",
      undefined,
    ]);
    const entries = await audited(hub);
    const texts = entries.map(({ action, rationale }) => `${action} ${rationale}`).join("\n");
    for (const { digest } of records) expect(texts).toContain(digest);
  });
});

describe("identical tasks at once", () => {
  it("[SAP-05] are executed once: the others wait, and keep their ids, correlation and results", async () => {
    const { hub, agent } = await start(silent);
    const all = Array.from({ length: 20 }, () => governed());
    const ids = await Promise.all(all.map((task) => submit(hub, task)));
    const waiting = await read(hub, ids[7] ?? "");
    expect(waiting.stages[0]?.waitingFor).toBe(`the outcome of an identical task: run ${ids[0]}`);
    agent.answer(await agent.envelope(), answered("once"));
    const runs = await Promise.all(ids.map((id) => reaches(hub, id, ...ended)));
    expect(runs.map(textOf)).toEqual(all.map(() => "once"));
    expect(runs.map(({ governance }) => governance?.correlationId)).toEqual(
      all.map(({ governance }) => governance.correlationId),
    );
    expect(agent.envelopes).toHaveLength(1);
    expect(await listed(hub)).toHaveLength(1);
  });

  it("[SAP-05] go on with the next one when the first fails, and not with two", async () => {
    const { hub, agent } = await start(silent);
    const ids = await Promise.all([1, 2, 3].map(() => submit(hub, governed())));
    const failure = { status: { outcome: Outcome.NON_RETRYABLE_FAILURE, failureReason: "no" } };
    agent.answer(await agent.envelope(), failure);
    const next = await agent.envelope(2);
    expect(next.execution?.dispatchId).toContain(ids[1]);
    agent.answer(next, answered("second"));
    const runs = await Promise.all(ids.slice(1).map((id) => reaches(hub, id, ...ended)));
    expect(runs.map(textOf)).toEqual(["second", "second"]);
    expect(agent.envelopes).toHaveLength(2);
  });

  it("[SAP-05] wait on after a restart of the hub, and are answered", async () => {
    const lives = new Lives(openMemoryStore());
    const life = await lives.begin();
    const before = new TestAgent(life.hub, { packId: "dev", maxTasks: 9, answer: silent });
    await before.receive("welcome");
    const ids = await Promise.all([1, 2, 3].map(() => submit(life.hub, governed())));
    await before.envelope();
    life.kill();
    const { hub } = await lives.begin();
    const after = before.moveTo(hub);
    await after.receive("welcome");
    after.answer(await after.envelope(), answered("after"));
    const runs = await Promise.all(ids.map((id) => reaches(hub, id, ...ended)));
    expect(runs.map(textOf)).toEqual(["after", "after", "after"]);
    expect(after.envelopes).toHaveLength(1);
    await hub.drain(0);
  });

  it("[SAP-05] that have a deadline are not held beyond it", async () => {
    const { hub, agent } = await start(silent);
    await submit(hub, governed());
    await agent.envelope();
    const deadline = { seconds: BigInt(Math.ceil(Date.now() / 1_000) + 1) };
    const late = await submit(hub, { ...governed(), deadline } as never);
    const open = create(ListEscalationsRequestSchema);
    const [asked] = await eventually("a question", async () => {
      const { escalations } = await hub.listEscalations(ada, open);
      return escalations.length > 0 ? escalations : undefined;
    });
    expect(asked).toMatchObject({ pipelineId: late, kind: EscalationKind.DEADLINE });
  });
});

describe("the alignment of a stored outcome", () => {
  /** A constitution that bans a phrase in answers. */
  const banning = (phrase: string, digest: string) => ({
    ...constitutionOf({
      constraints: [
        {
          name: "No code names",
          always: true,
          checks: [{ name: "names", detect: "banned_phrases", phrases: [phrase], on: "output" }],
        },
      ],
    }),
    digest: digest.repeat(64),
  });
  const mustAlign = { cachePolicy: { mode: CacheMode.PREFER, mustAlign: true } };
  const checksOf = ({ stages: [stage] }: Pipeline) => stage?.alignment?.checks.map(({ check }) => check);

  it("[SAP-05] is part of the answer, with the evidence that it was vetted with", async () => {
    const { hub, agent } = await start(undefined, { constitution: banning("Falcon", "a") });
    await run(hub, governed());
    const second = await run(hub, governed());
    expect(cacheOf(second)?.hit).toBe(true);
    expect(second.stages[0]?.alignment?.verdict).toBe(AlignmentVerdict.VALID);
    expect(checksOf(second)).toEqual(["names"]);
    expect(agent.envelopes).toHaveLength(1);
  });

  it("[SAP-05] is checked again where the task asks for it, and holds", async () => {
    const { hub, agent } = await start(undefined, { constitution: banning("Falcon", "a") });
    await run(hub, governed());
    expect(cacheOf(await run(hub, governed(mustAlign)))?.hit).toBe(true);
    expect(agent.envelopes).toHaveLength(1);
    const entries = await audited(hub);
    const checked = entries.filter(({ eventType }) => eventType === AuditEventType.ALIGNMENT_CHECKED);
    // The task and the answer of the first, the task of the second, and the outcome again.
    expect(checked).toHaveLength(4);
  });

  it("[SAP-05] is checked again under another constitution: what fails is a miss, is recorded, and asks nobody", async () => {
    const texts = ["secret plan", "public plan"];
    const { hub, agent } = await start((_, n) => answered(texts[n - 1] ?? ""), {
      constitution: banning("Falcon", "a"),
    });
    await run(hub, governed());
    hub.configure({ policy: testPolicy(), templates: new Map(), constitution: banning("secret", "b") });
    const again = await run(hub, governed());
    expect(textOf(again)).toBe("public plan");
    expect(cacheOf(again)).toMatchObject({ hit: false });
    expect(cacheOf(again)?.missReason).toContain("the stored outcome does not follow the constitution");
    expect(agent.envelopes).toHaveLength(2);
    expect((await hub.listEscalations(ada, create(ListEscalationsRequestSchema))).escalations).toEqual([]);
    const actions = (await audited(hub)).map(({ action }) => action);
    expect(actions).toContain("refused an outcome of the cache");
    // Vetted under the constitution in force, the new outcome answers the next one.
    expect(cacheOf(await run(hub, governed()))?.hit).toBe(true);
  });

  it("[SAP-05] that a person has to decide about holds nobody up: the next one is executed, and nothing is stored of it", async () => {
    const { hub, agent } = await start((_, n) => answered(n === 1 ? "the plan of Falcon" : "birds"), {
      constitution: banning("Falcon", "a"),
    });
    const [, second = ""] = await Promise.all([1, 2].map(() => submit(hub, governed())));
    expect(textOf(await reaches(hub, second, ...ended))).toBe("birds");
    expect(agent.envelopes).toHaveLength(2);
    expect(await listed(hub)).toHaveLength(1);
  });
});

it("[SAP-05] a run that is taken back is executed, not answered from the cache", async () => {
  const { hub, agent } = await start();
  await run(hub, governed());
  const { pipelineId } = await run(hub, governed());
  expect(agent.envelopes).toHaveLength(1);
  const listing = create(GetTransitionsRequestSchema, { pipelineId });
  const { transitions } = await hub.getTransitions(ada, listing);
  const toRevision = transitions.find(({ toStatus }) => toStatus === "READY")?.revision ?? 0n;
  const reason = "I want another one";
  await hub.rewindPipeline(ada, create(RewindPipelineRequestSchema, { pipelineId, toRevision, reason }));
  expect(textOf(await reaches(hub, pipelineId, ...ended))).toBe("answer 2");
  expect(agent.envelopes).toHaveLength(2);
});
