/** Our own endpoint: a server with an agent that answers, and keys of two tenants. */
import { ResponseStatus } from "@baton/contract";
import { testPolicy } from "@baton/kernel/testing";
import { EgressFilter } from "@baton/runtime";
import { TestAgent, testHub } from "@baton/runtime/testing";
import { generateKey, startServer } from "@baton/server";
import { pino } from "pino";
import { expect, it, onTestFinished } from "vitest";
import { checkEndpoint } from "./suite.ts";

it("[SAP-11] [TRN-04] our endpoint passes every row", async () => {
  const hub = await testHub({
    policy: testPolicy({ routes: { "consult.align": { allowedPackIds: ["adviser"] } } }),
  });
  const key = generateKey({ id: "one", tenant: "acme", roles: ["submit", "operate"] });
  const other = generateKey({ id: "other", tenant: "other", roles: ["submit", "operate"] });
  const server = await startServer({
    hub,
    filter: new EgressFilter(),
    log: pino({ level: "silent" }),
    config: {
      grpc: { host: "127.0.0.1", port: 0 },
      http: { host: "127.0.0.1", port: 0 },
      keys: [key.entry, other.entry],
    },
  });
  onTestFinished(async () => {
    await server.close(0);
    await hub.drain(0);
  });
  for (const tenantId of ["acme", "other"]) {
    const agent = new TestAgent(hub, {
      ...{ packId: "adviser", tenantId, taskTypes: ["consult.align"], maxTasks: 10 },
      answer: () => ({
        response: { status: ResponseStatus.SUCCESS, data: { advice: "begin" }, message: "begin" },
      }),
    });
    await agent.receive("welcome");
  }
  const reports = await checkEndpoint({
    ...{ address: server.httpAddress, capability: "consult.align", patienceMs: 60_000 },
    ...{ key: key.key, otherKey: other.key },
  });
  const failed = reports.filter(({ verdict }) => verdict !== "pass");
  expect(failed.map(({ id, detail }) => `${id}: ${detail}`)).toEqual([]);
});
