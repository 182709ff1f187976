/** The hub under load: submissions come from its own process, agents are in another one, over gRPC. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { join } from "node:path";
import {
  ContractSchema,
  PipelinePlanSchema,
  SubmitTaskRequestSchema,
  WatchEventsRequestSchema,
} from "@baton/contract";
import { commandVerifier, createHub, openSqliteStore, referenceReader } from "@baton/runtime";
import { startServer } from "@baton/server";
import { create } from "@bufbuild/protobuf";
import { pino } from "pino";
import type { Talk } from "../../emit.ts";
import { type Ask, type LoadReport, runLoad } from "../../load.ts";

const [directory = ""] = process.argv.slice(2);
const store = await openSqliteStore({ directory });
const hub = await createHub({
  store,
  templates: new Map(),
  orchestratorVersion: "0.1.0",
  verifier: commandVerifier(),
  references: referenceReader(),
});
const server = await startServer({
  hub,
  config: { grpc: { host: "127.0.0.1", port: 0 }, http: { host: "127.0.0.1", port: 0 } },
  log: pino({ level: "silent" }),
});
const agents = fork(new URL("./agents.ts", import.meta.url), {
  env: { ...process.env, BATON_HUB: server.grpcAddress },
  stdio: ["ignore", "ignore", "inherit", "ipc"],
});
await once(agents, "message");

const bench = { tenantId: "local", id: "bench", kind: "human" } as const;
const plan = create(PipelinePlanSchema, {
  name: "three",
  stages: ["one", "two", "three"].map((taskType, place, all) => ({
    stageId: taskType,
    taskType,
    config: { required: true, dependsOnStages: place === 0 ? [] : [all[place - 1] ?? ""] },
  })),
});
const contract = create(ContractSchema, { title: "Do nothing", acceptanceCriteria: ["x".repeat(1_500)] });
const request = create(SubmitTaskRequestSchema, { plan: { case: "pipeline", value: plan } });
const waiting = new Map<string, () => void>();
let submitted = 0;

async function pipeline(): Promise<void> {
  const key = `bench-${process.pid}-${submitted++}`;
  // As lean as that of the floor: what it costs to make a request is not the hub's.
  const own = { ...request, idempotencyKey: key, contract: { ...contract, taskId: key } };
  const { pipeline: made } = await hub.submitTask(bench, own);
  await new Promise<void>((done) => waiting.set(made?.pipelineId ?? "", done));
}

/** A waiting caller learns of the end from the stream of events, as any client does. */
async function watch(): Promise<void> {
  const request = create(WatchEventsRequestSchema, { filter: 'stage_id = ""' });
  for await (const { message } of hub.watchEvents(bench, request, new AbortController().signal)) {
    const payload = message.case === "record" ? message.value.event?.payload : undefined;
    if (message.case !== "record" || payload?.case !== "taskTransition") continue;
    if (payload.value.toState !== "COMPLETED") continue;
    waiting.get(message.value.pipelineId)?.();
    waiting.delete(message.value.pipelineId);
  }
}
void watch();

/** A pipeline of one stage whose agent reports as it is asked. */
async function talk(how: Talk): Promise<void> {
  const stages = [{ stageId: "talk", taskType: "talk", config: { required: true } }];
  const idempotencyKey = `talk-${process.pid}-${submitted++}`;
  const { pipeline: made } = await hub.submitTask(
    bench,
    create(SubmitTaskRequestSchema, {
      idempotencyKey,
      plan: { case: "pipeline", value: { name: "talk", stages } },
      contract: {
        taskId: idempotencyKey,
        title: JSON.stringify(how),
        acceptanceCriteria: ["all is reported"],
      },
    }),
  );
  await new Promise<void>((done) => waiting.set(made?.pipelineId ?? "", done));
}

process.on("message", async (asked: Ask | Talk) => {
  if ("events" in asked) {
    await talk(asked);
    return process.send?.({ residentMb: process.memoryUsage().rss / 1e6 });
  }
  const { inFlight, count } = asked;
  const before = size();
  const figures = await runLoad(inFlight, count, pipeline);
  const report: LoadReport = { ...figures, bytesEach: (size() - before) / count };
  process.send?.(report);
});
process.on("disconnect", () => {
  // First they: who has lost its hub says so.
  agents.once("exit", () => process.exit());
  agents.disconnect();
});
process.send?.({ ready: true, address: server.httpAddress, grpcAddress: server.grpcAddress });

function size(): number {
  return ["baton.db", "baton.db-wal"].reduce((sum, name) => {
    const found = statSync(join(directory, name), { throwIfNoEntry: false });
    return sum + (found?.size ?? 0);
  }, 0);
}
