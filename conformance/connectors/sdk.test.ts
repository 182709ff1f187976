import { createServer } from "node:http2";
import { type AgentError, serveAgent, startAgent, type Task } from "@baton/agent";
import {
  AgentTransport,
  GetTurnsRequestSchema,
  PipelineStatus,
  RegistryService,
  WatchEventsRequestSchema,
} from "@baton/contract";
import { type Hub, openMemoryStore } from "@baton/runtime";
import { ada, reaches, submit, testHub } from "@baton/runtime/testing";
import { create } from "@bufbuild/protobuf";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { expect, it, onTestFinished } from "vitest";
import { batch, turnRow } from "../store/rows.ts";
import { agentCaller, announce } from "./announce.ts";
import type { Connector } from "./connector.ts";
import { listening } from "./listening.ts";
import { passed, polling, Setting } from "./setting.ts";

/** All thoughts, as watchers receive them. */
async function wordsOf(hub: Hub): Promise<string> {
  const enough = new AbortController();
  const request = create(WatchEventsRequestSchema, { afterSequence: 0n });
  let words = "";
  for await (const { message } of hub.watchEvents(ada, request, enough.signal)) {
    const payload = message.case === "record" ? message.value.event?.payload : undefined;
    if (payload?.case === "thoughtStream") words += payload.value.chunk;
    if (message.case === "caughtUp") enough.abort();
  }
  return words;
}

it.each([
  ["grpc", AgentTransport.GRPC],
  ["http-json", AgentTransport.HTTP_JSON],
] as const)(
  "[TRN-01] [PIP-11] an agent of the SDK that listens for %s works through a restart of the hub",
  async (transport, wire) => {
    const begun = Promise.withResolvers<void>();
    const restarted = Promise.withResolvers<void>();
    const before = ["first ", "I ", "look, "];
    const after = "then I leap";
    let runs = 0;
    const agent = await serveAgent({
      pack: "dev",
      version: "1.0.0",
      taskTypes: ["code"],
      register: false,
      handleSignals: false,
      listen: { transport },
      async run(task) {
        runs++;
        for (const word of before) task.think(word);
        begun.resolve();
        await restarted.promise;
        task.think(after);
        return task.success("done");
      },
    });
    onTestFinished(() => agent.close({ graceMs: 0 }));
    const connector: Connector = {
      name: transport,
      async connectAgent(hub) {
        const returnTo = (to: Hub) => announce(to, { uri: agent.uri, transport: wire });
        await returnTo(hub);
        return { returnTo };
      },
    };
    const setting = await Setting.of(connector, async () => {});
    const pipelineId = await setting.submit();
    await begun.promise;
    await expect.poll(() => wordsOf(setting.hub), polling).toContain("look, ");
    await setting.hub.drain(0);
    await setting.start();
    await setting.agent.returnTo(setting.hub);
    restarted.resolve();
    await setting.shows(pipelineId, { status: "COMPLETED", attempts: 1, record: passed(1) });
    expect(runs).toBe(1);
    expect(await wordsOf(setting.hub)).toBe([...before, after].join(""));
  },
);

it("[TUR-02] an agent of the SDK learns that a turn contradicts the one that is stored", async () => {
  const store = openMemoryStore();
  const hub = await testHub({ store });
  onTestFinished(() => hub.drain(0));
  const { uri } = await listening(
    createServer(
      connectNodeAdapter({
        routes: (router) =>
          router.rpc(RegistryService.method.attachAgent, (requests, { signal }) =>
            hub.attachAgent(agentCaller, requests, signal),
          ),
      }),
    ),
  );
  const problems: AgentError[] = [];
  const begun = Promise.withResolvers<Task>();
  const stored = Promise.withResolvers<void>();
  const agent = await startAgent({
    ...{ pack: "dev", version: "1.0.0", taskTypes: ["code"], handleSignals: false, hub: uri },
    onProblem: (problem) => problems.push(problem),
    async run(task) {
      begun.resolve(task);
      await stored.promise;
      task.turn({ thought: "I think", confidence: 0.9 });
      task.turn({ thought: "so I go on", confidence: 0.9 });
      return task.success("done");
    },
  });
  onTestFinished(() => agent.close({ graceMs: 0 }));
  const pipelineId = await submit(hub);
  const dispatchId = (await begun.promise).envelope.execution?.dispatchId ?? "";
  const envelope = JSON.stringify({
    ...{ turn_index: 0, agent_id: "developer", role: "developer" },
    content: { thought: "I thought", action: "", observation: "" },
    metadata: {
      ...{ version: "1.0.0", task_id: `${pipelineId}/code`, timestamp: "2026-01-01T00:00:00Z" },
      ...{ confidence: 0.9, estimated_complexity: "medium" },
    },
  });
  await store.commit(batch({ turns: [turnRow(pipelineId, 0, { dispatchId, envelope })] }));
  stored.resolve();
  await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
  await expect.poll(() => problems.map(({ code }) => code), polling).toEqual(["BATON-SDK-013"]);
  expect(problems[0]?.message).toContain("refused a turn: BATON-AGENT-009");
  expect(problems[0]?.at).toContain(dispatchId);
  expect(problems[0]?.fix).toContain("index");
  const { turns } = await hub.getTurns(ada, create(GetTurnsRequestSchema, { pipelineId }));
  expect(turns.map(({ turn }) => turn?.content?.thought)).toEqual(["I thought", "so I go on"]);
});

it.each(["grpc", "http-json"] as const)(
  "[TRN-01] [SAC-12] an agent of the SDK that listens for %s pays once for a step of an attempt that was lost",
  async (transport) => {
    const hub = await testHub({ store: openMemoryStore() });
    onTestFinished(() => hub.drain(0));
    const { method } = RegistryService;
    const { uri } = await listening(
      createServer(
        connectNodeAdapter({
          routes: (router) => {
            router.rpc(method.registerAgent, (request) => hub.registerAgent(agentCaller, request));
            router.rpc(method.sendHeartbeat, (request) => hub.sendHeartbeat(agentCaller, request));
            router.rpc(method.reportStep, (request) => hub.reportStep(agentCaller, request));
            router.rpc(method.listSteps, (request) => hub.listSteps(agentCaller, request));
          },
        }),
      ),
    );
    let paid = 0;
    const agent = await serveAgent({
      ...{ pack: "dev", version: "1.0.0", taskTypes: ["code"], handleSignals: false, hub: uri },
      listen: { transport },
      async run(task) {
        const text = await task.once("model", { prompt: "2 + 2" }, () => `four ${++paid}`);
        // Larger than an envelope carries.
        const long = await task.once("document", {}, () => `${++paid} ${"x".repeat(100_000)}`);
        const isFirst = task.envelope.execution?.attemptNumber === 1;
        return isFirst
          ? task.failure("again", { retryable: true })
          : task.success(`${text}, ${long.slice(0, 1)}`);
      },
    });
    onTestFinished(() => agent.close({ graceMs: 0 }));
    const pipelineId = await submit(hub);
    const { stages } = await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    expect(stages[0]?.attemptNumber).toBe(2);
    expect(paid).toBe(2);
  },
);
