import { AbortPipelineRequestSchema, PipelineStatus, ToolStatus } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import {
  ada,
  dispatchOf,
  eventually,
  Lives,
  reaches,
  silent,
  submit,
  TestAgent,
} from "../../testing/index.ts";
import { maxOpenCalls } from "../agent-events/attempt-log.ts";
import type { Hub } from "../api/hub.ts";
import { openMemoryStore } from "../stores/index.ts";
import { completed, eventsSeen, invoked, isTaken, transition, working } from "./testing/reports.ts";

/** Calls and their ends, as watchers see them. */
async function callsSeen(hub: Hub): Promise<readonly string[]> {
  return (await eventsSeen(hub)).flatMap(({ event }) => {
    if (event?.payload.case === "toolInvoked") return [`${event.payload.value.callId} begins`];
    if (event?.payload.case !== "toolCompleted") return [];
    return [`${event.payload.value.callId} ${ToolStatus[event.payload.value.status]}`];
  });
}

describe("a call of a tool", () => {
  it("[TUR-05] is paired with its end by its call_id", async () => {
    const { hub, store, agent, dispatchId } = await working();
    for (const one of [invoked("a"), invoked("b"), completed("b"), completed("a", ToolStatus.FAILURE)]) {
      agent.say(one, dispatchId);
    }
    await isTaken(agent);
    expect(await callsSeen(hub)).toEqual(["a begins", "b begins", "b SUCCESS", "a FAILURE"]);
    expect(await store.openCalls()).toEqual([]);
  });

  it("[TUR-05] without an end times out when the agent answers", async () => {
    const { hub, agent, pipelineId, envelope, dispatchId } = await working();
    agent.say(invoked("a"), dispatchId);
    agent.answer(envelope);
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    expect(await callsSeen(hub)).toEqual(["a begins", "a TIMEOUT"]);
    const order = (await eventsSeen(hub)).map(({ event }) => event?.payload.case);
    expect(order.indexOf("toolCompleted")).toBeLessThan(order.lastIndexOf("taskTransition"));
  });

  it("[TUR-05] without an end times out when the attempt is over without a result", async () => {
    const { hub, store, agent, pipelineId, dispatchId } = await working();
    agent.say(invoked("a"), dispatchId);
    await isTaken(agent);
    await hub.abortPipeline(ada, create(AbortPipelineRequestSchema, { pipelineId, reason: "enough" }));
    await eventually("its end", async () => (await callsSeen(hub)).includes("a TIMEOUT"));
    expect(await store.openCalls()).toEqual([]);
  });

  it("[TUR-05] without an end times out when the agent is gone", async () => {
    const { hub, agent, dispatchId } = await working({ attach: { resumeGraceMs: 5 } });
    agent.say(invoked("a"), dispatchId);
    await isTaken(agent);
    agent.vanish();
    await eventually("its end", async () => (await callsSeen(hub)).includes("a TIMEOUT"));
  });

  it("[TUR-05] that began before a restart ends, whether the agent comes back or not", async () => {
    const lives = new Lives(openMemoryStore(), { attach: { resumeGraceMs: 10 } });
    const first = await lives.begin();
    const agent = new TestAgent(first.hub, { packId: "dev", answer: silent, maxTasks: 2 });
    await submit(first.hub, { idempotencyKey: "one" });
    await submit(first.hub, { idempotencyKey: "two" });
    const [kept, lost] = [dispatchOf(await agent.envelope()), dispatchOf(await agent.envelope(2))];
    for (const [callId, dispatchId] of [
      ["kept", kept],
      ["lost", lost],
    ] as const) {
      agent.say(invoked(callId), dispatchId);
    }
    await isTaken(agent);
    first.kill();
    agent.vanish();
    const { hub } = await lives.begin();
    // It is back with one of them, whose call returns; of the other one nobody knows any more.
    const back = new TestAgent(hub, { packId: "dev", answer: silent, maxTasks: 2 }, [kept]);
    back.say(completed("kept"), kept);
    await eventually("both ends", async () => {
      const seen = await callsSeen(hub);
      return seen.includes("kept SUCCESS") && seen.includes("lost TIMEOUT");
    });
    back.vanish();
  });

  it("[TUR-05] is published once when it is retransmitted while open, and an end without a beginning is refused", async () => {
    const { hub, agent, dispatchId } = await working();
    agent.say(invoked("a"), dispatchId);
    agent.say(invoked("a"), dispatchId);
    agent.say(completed("a"), dispatchId);
    agent.say(completed("a"), dispatchId);
    const { error } = await agent.receive("refused");
    await isTaken(agent);
    expect(error).toMatchObject({ code: "BATON-AGENT-004", fix: expect.stringContaining("INVOKED") });
    expect(await callsSeen(hub)).toEqual(["a begins", "a SUCCESS"]);
  });

  it("[TUR-04] refuses TASK_TRANSITION from an agent", async () => {
    const { hub, agent, dispatchId } = await working();
    const before = await eventsSeen(hub);
    agent.say(transition("COMPLETED"), dispatchId);
    const { error } = await agent.receive("refused");
    expect(error?.code).toBe("BATON-AGENT-006");
    expect(await eventsSeen(hub)).toEqual(before);
  });

  it("[TUR-05] is refused beside a thousand open ones", async () => {
    const { agent, dispatchId } = await working({ attach: { outstandingLimit: 5_000 } });
    for (let call = 0; call < maxOpenCalls; call++) agent.say(invoked(`call-${call}`), dispatchId);
    agent.say(invoked("one more"), dispatchId);
    const { error } = await agent.receive("refused");
    expect(error?.code).toBe("BATON-AGENT-005");
  });
});
