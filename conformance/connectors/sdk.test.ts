import { serveAgent } from "@baton/agent";
import { AgentTransport } from "@baton/contract";
import type { Hub } from "@baton/runtime";
import { expect, it, onTestFinished } from "vitest";
import { announce } from "./announce.ts";
import type { Connector } from "./connector.ts";
import { passed, Setting } from "./setting.ts";

it.each([
  ["grpc", AgentTransport.GRPC],
  ["http-json", AgentTransport.HTTP_JSON],
] as const)(
  "[TRN-01] [PIP-11] an agent of the SDK that listens for %s works through a restart of the hub",
  async (transport, wire) => {
    const begun = Promise.withResolvers<void>();
    const restarted = Promise.withResolvers<void>();
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
        begun.resolve();
        await restarted.promise;
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
    await setting.hub.drain(0);
    await setting.start();
    await setting.agent.returnTo(setting.hub);
    restarted.resolve();
    await setting.shows(pipelineId, { status: "COMPLETED", attempts: 1, record: passed(1) });
    expect(runs).toBe(1);
  },
);
