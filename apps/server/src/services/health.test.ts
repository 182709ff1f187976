import { OrchestratorService } from "@baton/contract";
import { Code } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { Health, HealthCheckResponse_ServingStatus as Status } from "../../gen/grpc/health/v1/health_pb.js";
import { hubDouble } from "../../testing/hub-double.ts";
import { runServer } from "../../testing/running-server.ts";
import { generateKey } from "../border/keys.ts";

describe("gRPC health", () => {
  it.each(["", OrchestratorService.typeName])(
    "[TRN-05] reports the health of %j, without a key",
    async (service) => {
      let reason: string | undefined;
      const { entry } = generateKey({ id: "any", tenant: "acme", roles: ["submit"] });
      const server = await runServer(hubDouble({ whyNotReady: () => reason }), { keys: [entry] });
      const client = server.client(Health);
      expect((await client.check({ service })).status).toBe(Status.SERVING);
      reason = "the store is full";
      expect((await client.check({ service })).status).toBe(Status.NOT_SERVING);
    },
  );

  it("[TRN-05] knows no other services", async () => {
    const client = (await runServer()).client(Health);
    await expect(client.check({ service: "acme.Shop" })).rejects.toMatchObject({ code: Code.NotFound });
    for await (const { status } of client.watch({ service: "acme.Shop" })) {
      expect(status).toBe(Status.SERVICE_UNKNOWN);
      break;
    }
  });

  it("[TRN-05] informs watchers at once that the server stops", async () => {
    const server = await runServer();
    const seen: Status[] = [];
    for await (const { status } of server.client(Health).watch({})) {
      seen.push(status);
      if (status === Status.NOT_SERVING) break;
      server.stopTaking();
    }
    expect(seen).toEqual([Status.SERVING, Status.NOT_SERVING]);
  });
});
