import {
  GetStepsRequestSchema,
  ListStepsRequestSchema,
  Outcome,
  PipelineStatus,
  ReportStepRequestSchema,
} from "@baton/contract";
import { evolve } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  ada,
  dispatchOf,
  Lives,
  reaches,
  silent,
  submit,
  TestAgent,
  TestStore,
} from "../../../testing/index.ts";
import { replayJournal } from "../../engine/state/pipelines.ts";
import type { Caller } from "../../ports/caller.ts";
import type { StoredJournal } from "../../ports/store.ts";
import { openMemoryStore } from "../../stores/index.ts";
import { isTaken, working } from "../testing/reports.ts";
import { durableStores, silentDev } from "../testing/restarts.ts";
import { digest, step } from "../testing/steps.ts";
import { GivenSteps } from "./given-steps.ts";

const dev: Caller = { tenantId: "acme", id: "agent-key", kind: "agent" };
const instance = { packId: "dev", instanceId: "dev-1" };
const replayed = (journal: StoredJournal | undefined) => journal && replayJournal(journal, evolve);
const again = { status: { outcome: Outcome.RETRYABLE_FAILURE, failureReason: "again" } };

describe.each(durableStores)("steps of an attached agent (%s)", (_name, open) => {
  it("[PIP-11] are durable when they are acknowledged, and given to the next attempt", async () => {
    const store = new TestStore(await open());
    const { hub, agent, envelope, dispatchId } = await working({ store });
    expect(envelope.steps).toBeUndefined();
    agent.say(step("one", { valueJson: '{"text":"1"}' }), dispatchId);
    agent.say(step("two", { state: "STARTED" }), dispatchId);
    await isTaken(agent);
    agent.answer(envelope, again);
    const next = await agent.envelope(2);
    expect(next.steps?.count).toBe(2);
    expect(next.steps?.steps).toMatchObject([
      { name: "one", occurrence: 1, argumentsDigest: digest, valueJson: '{"text":"1"}' },
      { name: "two", valueJson: "" },
    ]);
    expect(await store.steps(dispatchId, 0, 10, 1_000)).toHaveLength(2);
    expect(await store.check()).toEqual([]);
    await hub.drain(0);
  });

  it("[PIP-11] survive the hub, and are given when the agent comes back without its attempt", async () => {
    const lives = new Lives(await open());
    const first = await lives.begin();
    const agent = new TestAgent(first.hub, silentDev);
    await submit(first.hub);
    const envelope = await agent.envelope();
    agent.say(step("paid", { usage: { inputTokens: 10n, costMicroUsd: 500n } }), dispatchOf(envelope));
    await isTaken(agent);
    first.kill();
    agent.vanish();
    const { hub } = await lives.begin();
    onTestFinished(() => hub.drain(0));
    const back = new TestAgent(hub, silentDev);
    const next = await back.envelope();
    expect(next.execution?.attemptNumber).toBe(2);
    expect(next.steps?.steps).toMatchObject([{ name: "paid", valueJson: '"value"' }]);
    back.answer(next);
  });
});

describe("an envelope that is sent again", () => {
  it("[PIP-11] has the steps of its own attempt, since its agent may have been restarted too", async () => {
    const lives = new Lives(openMemoryStore());
    const first = await lives.begin();
    const agent = new TestAgent(first.hub, silentDev);
    await submit(first.hub);
    const envelope = await agent.envelope();
    const dispatchId = dispatchOf(envelope);
    agent.say(step("push", { state: "STARTED" }), dispatchId);
    await isTaken(agent);
    const given = new GivenSteps({
      engine: {
        cachedPipeline: () => undefined,
        pipelineWithRetry: async (id) => replayed(await first.store.journal(id)),
        whenReadable: (read) => read(),
      },
      store: first.store,
    });
    expect((await given.fill("acme", envelope)).steps).toMatchObject({ count: 1, steps: [{ name: "push" }] });
    agent.answer(envelope);
    await first.hub.drain(0);
  });
});

describe("a step", () => {
  it("[PIP-11] of an attempt that is over is refused and changes nothing", async () => {
    const { hub, store, agent, envelope, dispatchId } = await working();
    agent.answer(envelope, again);
    const next = await agent.envelope(2);
    agent.say(step("late"), dispatchId);
    await isTaken(agent);
    expect(agent.all("refused")).toMatchObject([{ error: { code: "BATON-STEP-001" } }]);
    expect(await store.steps(dispatchId, 0, 10, 1)).toEqual([]);
    agent.answer(next);
    await hub.drain(0);
  });

  it("[PIP-11] that was sent again is stored once, and its usage counts once", async () => {
    const { hub, store, agent, envelope, dispatchId, pipelineId } = await working();
    const paid = step("paid", { usage: { inputTokens: 10n, costMicroUsd: 500n } });
    agent.say(paid, dispatchId);
    agent.say(paid, dispatchId);
    await isTaken(agent);
    expect(agent.all("refused")).toEqual([]);
    expect(await store.steps(dispatchId, 0, 10, 1)).toHaveLength(1);
    agent.answer(envelope, { usage: { inputTokens: 12n, costMicroUsd: 500n } });
    await isTaken(agent);
    const state = await store.journal(pipelineId);
    expect(state?.texts.join("").match(/"stepped"/g)).toHaveLength(1);
    await hub.drain(0);
  });

  it("[PIP-11] whose value is no JSON, or that has none, is refused with the field", async () => {
    const { hub, agent, dispatchId } = await working();
    agent.say(step("broken", { valueJson: "{" }), dispatchId);
    agent.say(step("empty", { valueJson: "" }), dispatchId);
    agent.say(step("early", { state: "STARTED", valueJson: "1" }), dispatchId);
    agent.say(step("large", { valueJson: JSON.stringify("x".repeat(1024 * 1024)) }), dispatchId);
    await isTaken(agent);
    expect(agent.all("refused").map(({ error }) => error?.code)).toEqual([
      ...Array(3).fill("BATON-STEP-004"),
      "BATON-STEP-003",
    ]);
    expect(agent.all("refused")[0]?.error?.violations[0]?.field).toBe("step.value_json");
    await hub.drain(0);
  });

  it("[PIP-11] beyond 1,000 of an attempt, or beyond 32 MiB, is refused, and the attempt goes on", async () => {
    const many = await working();
    for (let occurrence = 1; occurrence <= 1_001; occurrence++)
      many.agent.say(step("small", { occurrence }), many.dispatchId);
    await isTaken(many.agent);
    const large = await working();
    const valueJson = JSON.stringify("x".repeat(1024 * 1024 - 2));
    for (let occurrence = 1; occurrence <= 32; occurrence++) {
      large.agent.say(step("large", { occurrence, valueJson }), large.dispatchId);
      await isTaken(large.agent);
    }
    large.agent.say(step("one more"), large.dispatchId);
    await isTaken(large.agent);
    for (const [{ hub, store, agent, envelope, dispatchId, pipelineId }, kept, message] of [
      [many, 1_000, "an attempt has at most 1000 steps"],
      [large, 32, "the values of an attempt have at most 33554432 bytes"],
    ] as const) {
      expect(agent.all("refused").map(({ error }) => error)).toMatchObject([
        { code: "BATON-STEP-003", message },
      ]);
      expect(await store.steps(dispatchId, 0, 1_001, 1_000_000_000)).toHaveLength(kept);
      agent.answer(envelope);
      await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
      await hub.drain(0);
    }
  });

  it("[PIP-11] with a large value travels by ListSteps, in order", async () => {
    const { hub, agent, envelope, dispatchId } = await working();
    const value = (place: number) => JSON.stringify(`${place} ${"x".repeat(100_000)}`);
    for (const place of [1, 2, 3])
      agent.say(step("large", { occurrence: place, valueJson: value(place) }), dispatchId);
    agent.say(step("small"), dispatchId);
    await isTaken(agent);
    agent.answer(envelope, again);
    const next = await agent.envelope(2);
    expect([next.steps?.count, next.steps?.steps.length]).toEqual([4, 0]);
    const attempt = { ...instance, dispatchId: dispatchOf(next) };
    const names: string[] = [];
    for (let after = 0; ; ) {
      const { steps } = await hub.listSteps(dev, create(ListStepsRequestSchema, { ...attempt, after }));
      if (steps.length === 0) break;
      names.push(...steps.map(({ name, valueJson }) => `${name} ${valueJson.slice(1, 2)}`));
      after += steps.length;
    }
    expect(names).toEqual(["large 1", "large 2", "large 3", "small v"]);
    agent.answer(next);
    await hub.drain(0);
  });

  it("[PIP-11] is reported and listed by call by the instance that has the attempt, and no other", async () => {
    const { hub, agent, envelope, dispatchId } = await working();
    const report = (more: object) =>
      hub.reportStep(
        dev,
        create(ReportStepRequestSchema, { ...instance, dispatchId, step: step("called").value, ...more }),
      );
    await report({});
    await expect(report({ instanceId: "dev-2" })).rejects.toMatchObject({ code: "BATON-AGENT-002" });
    const list = (caller: Caller, more: object = {}) =>
      hub.listSteps(caller, create(ListStepsRequestSchema, { ...instance, dispatchId, ...more }));
    expect((await list(dev)).steps).toMatchObject([{ name: "called" }]);
    await expect(list(dev, { instanceId: "dev-2" })).rejects.toMatchObject({ code: "BATON-AGENT-002" });
    await expect(list({ ...dev, tenantId: "other" })).rejects.toMatchObject({ code: "BATON-AGENT-002" });
    agent.answer(envelope);
    await isTaken(agent);
    await expect(report({ step: step("late").value })).rejects.toMatchObject({ code: "BATON-STEP-001" });
    await hub.drain(0);
  });

  it("[OBS-05] [PIP-11] is visible to people without secrets, and returns to its work unchanged", async () => {
    const { hub, agent, envelope, dispatchId, pipelineId } = await working();
    const secret = `ghp_${"a1B2c3D4e5".repeat(4)}`.slice(0, 40);
    const valueJson = JSON.stringify({ text: `use ${secret}`, password: "hunter2hunter2" });
    agent.say(step("fetch", { valueJson, usage: { inputTokens: 7n, costMicroUsd: 900n } }), dispatchId);
    agent.say(step("push", { state: "STARTED", critical: true }), dispatchId);
    await isTaken(agent);
    agent.answer(envelope, again);
    const next = await agent.envelope(2);
    expect(next.steps?.steps[0]?.valueJson).toBe(valueJson);
    const get = (more: object) => hub.getSteps(ada, create(GetStepsRequestSchema, { pipelineId, ...more }));
    const { steps } = await get({});
    expect(steps).toMatchObject([
      { dispatchId, attemptNumber: 1, valueBytes: valueJson.length, step: { name: "fetch", valueJson: "" } },
      { step: { name: "push", critical: true }, valueBytes: 0 },
    ]);
    const withValues = await get({ withValues: true });
    const visible = withValues.steps[0]?.step?.valueJson ?? "";
    expect(JSON.parse(visible).text).toContain("[redacted:");
    expect(visible).not.toContain(secret);
    const first = await get({ pageSize: 1 });
    const second = await get({ pageSize: 1, pageToken: first.nextPageToken });
    expect([first, second].map((page) => page.steps[0]?.step?.name)).toEqual(["fetch", "push"]);
    expect((await get({ attemptNumber: 2 })).steps).toEqual([]);
    agent.answer(next);
    await hub.drain(0);
  });

  it("[PIP-11] stays readable after a rejection, and is not given again", async () => {
    const { hub, agent, envelope, dispatchId } = await working();
    agent.say(step("one"), dispatchId);
    await isTaken(agent);
    agent.answer(envelope, { taskId: "another" });
    const next = await agent.envelope(2);
    expect(next.steps).toBeUndefined();
    agent.answer(next);
    await hub.drain(0);
  });
});

it("[PIP-11] reaches another agent of the pack too, because the work is the same", async () => {
  const { hub, agent, dispatchId, envelope } = await working();
  agent.say(step("one"), dispatchId);
  await isTaken(agent);
  const other = new TestAgent(hub, { packId: "dev", instanceId: "dev-2", answer: silent });
  await other.receive("welcome");
  agent.answer(envelope, again);
  const next = await Promise.race([agent.envelope(2), other.envelope()]);
  expect(next.steps?.count).toBe(1);
  (next.trace?.agentId === "dev-2" ? other : agent).answer(next);
  await hub.drain(0);
});
