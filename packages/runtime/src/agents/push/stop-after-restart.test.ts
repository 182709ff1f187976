import { createServer } from "node:http";
import { announce } from "@baton/conformance/connectors/announce.ts";
import { listening } from "@baton/conformance/connectors/listening.ts";
import { pushGrpc } from "@baton/conformance/connectors/push-grpc.ts";
import { pushHttpJson } from "@baton/conformance/connectors/push-http-json.ts";
import { turn } from "@baton/conformance/connectors/setting.ts";
import { AbortPipelineRequestSchema, AgentTransport, CancelReason } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  ada,
  calm,
  eventually,
  Lives,
  settles,
  submit,
  TestAgent,
  VirtualClock,
} from "../../../testing/index.ts";
import type { Store } from "../../ports/store.ts";
import { openMemoryStore } from "../../stores/index.ts";

function abort(pipelineId: string) {
  return create(AbortPipelineRequestSchema, { pipelineId, reason: "not needed any more" });
}

async function crossedOff(store: Store): Promise<void> {
  await eventually("the cancel to be crossed off", async () => (await store.outbox()).length === 0);
}

describe.each([pushGrpc, pushHttpJson])("$name", (connector) => {
  it("[PIP-10] [PIP-11] cancels at the agent though the hub died before it could", async () => {
    const begun = Promise.withResolvers<void>();
    const reason = Promise.withResolvers<CancelReason>();
    const store = openMemoryStore();
    const lives = new Lives(store, { onProblem: () => {} });
    // The first command is the envelope, the second is the cancel.
    const first = await lives.beginAndDieAt("before command", 1);
    const agent = await connector.connectAgent(first.hub, async ({ say, cancelled }) => {
      say(turn(0));
      begun.resolve();
      reason.resolve((await cancelled).reason);
    });
    const pipelineId = await submit(first.hub);
    await settles(begun.promise, "the agent to begin");
    await eventually("the envelope to be crossed off", async () => (await store.outbox()).length === 0);
    first.hub.abortPipeline(ada, abort(pipelineId)).catch(() => {});
    await settles(first.dead, "the hub to die");
    expect(await store.outbox()).toHaveLength(1);

    const second = await lives.begin();
    onTestFinished(() => second.hub.drain(0));
    await calm();
    expect(await store.outbox(), "it waits for its agent").toHaveLength(1);
    await agent.returnTo(second.hub);
    expect(await settles(reason.promise, "a cancel")).toBe(CancelReason.ABORTED);
    await crossedOff(store);
  });

  it("[PIP-10] cancels at an agent that is not back yet when a person aborts the pipeline", async () => {
    const begun = Promise.withResolvers<void>();
    const reason = Promise.withResolvers<CancelReason>();
    const store = openMemoryStore();
    const lives = new Lives(store, { onProblem: () => {} });
    const first = await lives.begin();
    const agent = await connector.connectAgent(first.hub, async ({ cancelled }) => {
      begun.resolve();
      reason.resolve((await cancelled).reason);
    });
    const pipelineId = await submit(first.hub);
    await settles(begun.promise, "the agent to begin");
    first.kill();
    const { hub } = await lives.begin();
    onTestFinished(() => hub.drain(0));
    await hub.abortPipeline(ada, abort(pipelineId));
    await agent.returnTo(hub);
    expect(await settles(reason.promise, "a cancel")).toBe(CancelReason.ABORTED);
    await crossedOff(store);
  });
});

it("[PIP-10] repeats a cancel that did not arrive when the agent sends a heartbeat", async () => {
  const cancels: number[] = [];
  const begun = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    request.resume();
    if (request.url === "/run") {
      response.writeHead(200, { "content-type": "application/x-ndjson" }).flushHeaders();
      return begun.resolve();
    }
    cancels.push(cancels.length);
    if (cancels.length <= 2) return response.writeHead(503).end();
    response.writeHead(200, { "content-type": "application/json" });
    response.end('{"outcome":"CANCEL_OUTCOME_STOPPED"}');
  });
  const { uri } = await listening(server);
  const store = openMemoryStore();
  const push = { limits: { cancelTries: 2, cancelAgainMs: 1 } };
  const { hub } = await new Lives(store).begin({ push });
  onTestFinished(() => hub.drain(0));
  const heartbeat = () => announce(hub, { uri, transport: AgentTransport.HTTP_JSON });
  await heartbeat();
  const pipelineId = await submit(hub);
  await settles(begun.promise, "the agent to begin");
  await hub.abortPipeline(ada, abort(pipelineId));
  await eventually("two failures", () => cancels.length === 2);
  await eventually("the envelope to be crossed off", async () => (await store.outbox()).length === 1);
  await heartbeat();
  await crossedOff(store);
  expect(cancels).toHaveLength(3);
});

describe("a cancel for an agent that is not there", () => {
  /** A restarted hub with a cancel that its agent has not received. */
  async function restarted() {
    const clock = new VirtualClock();
    const store = openMemoryStore();
    const lives = new Lives(store, { clock, onProblem: () => {} });
    const first = await lives.begin();
    const agent = new TestAgent(first.hub, { packId: "dev", answer: () => undefined });
    const pipelineId = await submit(first.hub);
    const dispatchId = (await agent.envelope()).execution?.dispatchId ?? "";
    await clock.pass(1_000);
    first.kill();
    const { hub } = await lives.begin();
    await hub.abortPipeline(ada, abort(pipelineId));
    return { clock, store, hub, agent, dispatchId };
  }

  it("[PIP-10] is sent once, with its reason, when the agent attaches", async () => {
    const { clock, store, hub, agent, dispatchId } = await restarted();
    const back = agent.moveTo(hub);
    await back.receive("welcome");
    expect(await back.receive("cancel")).toMatchObject({ dispatchId, reason: CancelReason.ABORTED });
    await clock.pass(1_000);
    expect(back.received[0]?.message.case).toBe("welcome");
    expect(back.all("cancel")).toHaveLength(1);
    await crossedOff(store);
  });

  it("[PIP-11] expires when the agent never comes back", async () => {
    const { clock, store } = await restarted();
    await clock.pass(50_000);
    expect(await store.outbox()).toHaveLength(1);
    await clock.pass(15_000);
    await crossedOff(store);
  });
});
