import { serveAgent } from "@baton/agent";
import { AgentTransport, WatchEventsRequestSchema } from "@baton/contract";
import type { Hub } from "@baton/runtime";
import { ada } from "@baton/runtime/testing";
import { create } from "@bufbuild/protobuf";
import { expect, it, onTestFinished } from "vitest";
import { announce } from "./announce.ts";
import type { Connector } from "./connector.ts";
import { passed, polling, Setting } from "./setting.ts";

/** All that was thought, as those who watch are told it. */
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
