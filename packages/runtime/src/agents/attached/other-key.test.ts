/** Agents of a tenant with keys of their own do not speak for each other. */
import {
  AgentTransport,
  HealthStatus,
  ListStepsRequestSchema,
  PipelineStatus,
  RegisterAgentRequestSchema,
  ReportStepRequestSchema,
  SendHeartbeatRequestSchema,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  dispatchOf,
  eventually,
  read,
  refusalOf,
  silent,
  submit,
  TestAgent,
  testHub,
  VirtualClock,
} from "../../../testing/index.ts";
import type { Caller } from "../../ports/caller.ts";
import { step } from "../testing/steps.ts";

const instance = { packId: "dev", instanceId: "dev-1" };
const owner = { ...instance, keyId: "owner", answer: silent };
const intruder = { ...instance, keyId: "intruder" };
const caller: Caller = { tenantId: "acme", id: "intruder", kind: "agent", keyId: "intruder" };

async function attached() {
  const hub = await testHub();
  onTestFinished(() => hub.drain(0));
  const agent = new TestAgent(hub, owner);
  await agent.receive("welcome");
  return { hub, agent };
}

describe("an instance that is attached with another key", () => {
  it("[TRN-03] [DIS-14] is not taken over: its agent keeps its stream and its work", async () => {
    const { hub, agent } = await attached();
    const pipelineId = await submit(hub);
    const envelope = await agent.envelope();
    const other = new TestAgent(hub, intruder, [dispatchOf(envelope)]);
    expect(await refusalOf(other.ended)).toMatchObject({ kind: "denied", code: "BATON-AGENT-010" });
    expect(other.received).toEqual([]);
    agent.answer(envelope);
    await eventually(
      "its end",
      async () => (await read(hub, pipelineId)).status === PipelineStatus.COMPLETED,
    );
  });

  it("[DIS-03] [PIP-11] gets no heartbeat and no step from that key, and its steps are not listed", async () => {
    const { hub, agent } = await attached();
    await submit(hub);
    const dispatchId = dispatchOf(await agent.envelope());
    const heartbeat = { ...instance, packVersion: "1.0.0", health: { status: HealthStatus.UNHEALTHY } };
    const { value } = step("forged");
    const refused = [
      hub.sendHeartbeat(caller, create(SendHeartbeatRequestSchema, { heartbeat })),
      hub.reportStep(caller, create(ReportStepRequestSchema, { ...instance, dispatchId, step: value })),
      hub.listSteps(caller, create(ListStepsRequestSchema, { ...instance, dispatchId })),
    ];
    for (const call of refused) expect((await refusalOf(call)).code).toBe("BATON-AGENT-010");
    const own = { ...caller, keyId: "owner" };
    const { steps } = await hub.listSteps(own, create(ListStepsRequestSchema, { ...instance, dispatchId }));
    expect(steps).toEqual([]);
  });

  it("[DIS-03] [TRN-03] of an agent that the hub calls: its lease and its address stay, until the lease has ended", async () => {
    const clock = new VirtualClock();
    const hub = await testHub({ clock });
    onTestFinished(() => hub.drain(0));
    const manifest = {
      ...{ packId: "dev", packVersion: "1.0.0", capabilitySchemaVersion: "1.0.0" },
      supportedTaskTypes: ["code"],
    };
    const own = { ...caller, keyId: "owner" };
    await hub.registerAgent(own, create(RegisterAgentRequestSchema, { manifest }));
    const beat = (by: Caller, uri: string) => {
      const endpoint = { uri, transport: AgentTransport.GRPC };
      const heartbeat = { ...instance, packVersion: "1.0.0", endpoint };
      return hub.sendHeartbeat(by, create(SendHeartbeatRequestSchema, { heartbeat }));
    };
    await beat(own, "http://127.0.0.1:9");
    const refusal = await refusalOf(beat(caller, "http://169.254.169.254/"));
    expect(refusal).toMatchObject({ kind: "unavailable", code: "BATON-AGENT-010" });
    await beat(own, "http://127.0.0.1:9");
    await clock.pass((refusal.retryAfterMs ?? 0) + 60_000);
    await beat(caller, "http://127.0.0.1:9");
  });

  it("[DIS-03] is free again as soon as its stream has ended", async () => {
    const { hub, agent } = await attached();
    agent.vanish();
    await agent.ended.catch(() => {});
    const next = new TestAgent(hub, intruder);
    await next.receive("welcome");
    await submit(hub);
    await next.envelope();
  });
});
