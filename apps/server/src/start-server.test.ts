import { once } from "node:events";
import { GetPipelineResponseSchema, OrchestratorService } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { collect } from "../testing/collect.ts";
import { hubDouble, takingHub } from "../testing/hub-double.ts";
import { runServer, smallTaskMessage } from "../testing/running-server.ts";

describe("stopping", () => {
  it("[TRN-05] takes no new calls, says so, and answers what is under way", async () => {
    const asked = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const { hub } = takingHub({
      async getPipeline() {
        asked.resolve();
        await gate.promise;
        return create(GetPipelineResponseSchema, { pipeline: { pipelineId: "p-1" } });
      },
    });
    const server = await runServer(hub);
    const client = server.client(OrchestratorService);
    const underWay = client.getPipeline({ pipelineId: "p-1" });
    await asked.promise;
    server.stopTaking();
    await expect(client.submitTask(smallTaskMessage)).rejects.toMatchObject({ code: Code.Unavailable });
    expect((await fetch(`${server.httpAddress}/readyz`)).status).toBe(503);
    const closed = server.close(60_000);
    gate.resolve();
    expect((await underWay).pipeline?.pipelineId).toBe("p-1");
    await closed;
  });

  it("[TRN-05] ends streams with when to come back", async () => {
    const begun = Promise.withResolvers<void>();
    const hub = hubDouble({
      async *watchEvents(_, __, signal) {
        begun.resolve();
        await once(signal, "abort");
        yield* [];
      },
    });
    const server = await runServer(hub);
    const watching = collect(server.client(OrchestratorService).watchEvents({})).catch(ConnectError.from);
    await begun.promise;
    await server.close(60_000);
    expect(await watching).toMatchObject({ code: Code.Unavailable });
  });

  it("[TRN-05] cuts off what is not answered within the grace period", async () => {
    const asked = Promise.withResolvers<void>();
    const hub = hubDouble({
      getPipeline() {
        asked.resolve();
        return new Promise(() => undefined);
      },
    });
    const server = await runServer(hub);
    // Node's client sometimes never reports a call that is cut off at that moment: its own deadline ends it.
    const call = { timeoutMs: 30_000 };
    const underWay = server.client(OrchestratorService).getPipeline({ pipelineId: "p-1" }, call);
    const ended = expect(underWay).rejects.toBeInstanceOf(ConnectError);
    await asked.promise;
    await server.close(20);
    await ended;
  });
});
