import {
  AuditEventType,
  CancelReason,
  EventSchema,
  ListAuditEntriesRequestSchema,
  ListEscalationsRequestSchema,
  PipelineStatus,
  ToolStatus,
} from "@baton/contract";
import { create, type JsonObject } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { ada, dispatchOf, reaches, silent, submit, TestAgent, testHub } from "../../testing/index.ts";
import { turn } from "./testing/reports.ts";

let calls = 0;

function invoked(tool: string, given: JsonObject = {}) {
  calls++;
  const event = create(EventSchema, {
    eventId: `0d1f7f4e-35c4-4a2f-9b0c-${String(calls).padStart(12, "0")}`,
    sessionId: "s",
    payload: {
      case: "toolInvoked",
      value: { callId: `call-${calls}`, tool, arguments: given, timestamp: timestampFromMs(Date.now()) },
    },
  });
  return { case: "event", value: event } as const;
}

function completed(callId: string, tool: string) {
  const value = { callId, tool, status: ToolStatus.SUCCESS, durationMs: 3, timestamp: timestampFromMs(0) };
  const payload = { case: "toolCompleted", value } as const;
  const eventId = "0d1f7f4e-35c4-4a2f-9b0d-000000000001";
  return { case: "event", value: create(EventSchema, { eventId, sessionId: "s", payload }) } as const;
}

async function working(safety: Parameters<typeof submit>[1]) {
  const hub = await testHub();
  const agent = new TestAgent(hub, { packId: "dev", answer: silent });
  const pipelineId = await submit(hub, safety);
  const envelope = await agent.envelope();
  return { hub, agent, pipelineId, envelope, dispatchId: dispatchOf(envelope) };
}

describe("an agent without the SDK's own restraint", () => {
  it("[DIS-16] is stopped by the hub when it uses a tool that is denied; that is audited and a person is asked", async () => {
    const { hub, agent, pipelineId, envelope, dispatchId } = await working({
      safety: { toolAllowlist: ["git", "curl"], toolDenylist: ["curl"] },
    });
    agent.say(invoked("git", { args: ["status"] }), dispatchId);
    agent.say(invoked("curl", { args: ["https://example.org"] }), dispatchId);
    const cancel = await agent.receive("cancel");
    const reason = 'the agent used "curl", which is on the deny list';
    expect(cancel).toMatchObject({ dispatchId, reason: CancelReason.ABORTED, explanation: reason });
    await reaches(hub, pipelineId, PipelineStatus.PAUSED);
    const { escalations } = await hub.listEscalations(ada, create(ListEscalationsRequestSchema, {}));
    expect(escalations.map(({ snapshot }) => snapshot?.problem)).toContain(reason);
    const { entries } = await hub.listAuditEntries(ada, create(ListAuditEntriesRequestSchema, {}));
    expect(entries.find(({ eventType }) => eventType === AuditEventType.DISPATCH_CANCELLED)?.rationale).toBe(
      reason,
    );
    // Its answer comes too late to count.
    agent.answer(envelope);
    await agent.receive("acknowledged", 2);
    expect((await reaches(hub, pipelineId, PipelineStatus.PAUSED)).status).toBe(PipelineStatus.PAUSED);
  });

  it.each([
    ["what is not on the allow list", "rm", {}, 'the agent used "rm", which is not on the allow list'],
    [
      "a prohibited action",
      "git",
      { args: ["push", "--force"] },
      'the agent did "git push", which is prohibited',
    ],
    [
      "a prohibited action inside a wrapper",
      "git",
      { command: 'env A=1 sh -c "git -C app push"' },
      'the agent did "git push", which is prohibited',
    ],
    [
      "a command that may be a prohibited action",
      "git",
      { command: "git $VERB" },
      'the agent ran a command that may be "git push", which is prohibited',
    ],
  ])("[DIS-16] is stopped by the hub for %s", async (_, tool, given, reason) => {
    const { agent, dispatchId } = await working({
      safety: { toolAllowlist: ["git"], prohibitedActions: ["git push"] },
    });
    agent.say(invoked(tool, given), dispatchId);
    expect((await agent.receive("cancel")).explanation).toBe(reason);
  });

  it("[DIS-16] is stopped by the hub when it takes more steps than it may", async () => {
    const { hub, agent, pipelineId, dispatchId } = await working({ safety: { maxAutonomousSteps: 3 } });
    for (let step = 0; step < 4; step++) agent.say(invoked("git"), dispatchId);
    expect(await agent.receive("cancel")).toMatchObject({
      reason: CancelReason.BUDGET,
      explanation: "the agent took 4 autonomous steps, and 3 were allowed",
    });
    await reaches(hub, pipelineId, PipelineStatus.PAUSED);
  });

  it("[DIS-16] is stopped by the hub also when its result comes right behind what it must not do", async () => {
    const { hub, agent, pipelineId, envelope, dispatchId } = await working({
      safety: { toolAllowlist: ["git", "curl"], toolDenylist: ["curl"] },
    });
    const use = invoked("curl", { args: ["https://example.org"] });
    agent.say(use, dispatchId);
    const { callId, tool } = use.value.payload.value as { callId: string; tool: string };
    agent.say(completed(callId, tool), dispatchId);
    agent.answer(envelope);
    expect((await agent.receive("cancel")).explanation).toBe(
      'the agent used "curl", which is on the deny list',
    );
    await reaches(hub, pipelineId, PipelineStatus.PAUSED);
  });

  it("[DIS-16] is stopped by the hub also when its result comes right behind more turns than it may take", async () => {
    const { hub, agent, pipelineId, envelope, dispatchId } = await working({
      safety: { maxAutonomousSteps: 3 },
    });
    for (let index = 0; index < 9; index++) agent.say(turn(index), dispatchId);
    agent.answer(envelope);
    expect((await agent.receive("cancel")).reason).toBe(CancelReason.BUDGET);
    await reaches(hub, pipelineId, PipelineStatus.PAUSED);
  });
});
