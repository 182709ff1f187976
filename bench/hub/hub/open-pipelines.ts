/**
 * Many open pipelines: what they need in memory, and how fast a hub that comes back knows them again. Run twice on the same
 * directory: `fill` makes them, `recover` comes back to them.
 */
import { PipelinePlanSchema, SubmitTaskRequestSchema } from "@baton/contract";
import { commandVerifier, createHub, openSqliteStore, referenceReader } from "@baton/runtime";
import { TestAgent } from "@baton/runtime/testing";
import { create } from "@bufbuild/protobuf";

const [what = "", directory = "", count = ""] = process.argv.slice(2);
const before = performance.now();
const store = await openSqliteStore({ directory });
const hub = await createHub({
  store,
  templates: new Map(),
  orchestratorVersion: "0.1.0",
  verifier: commandVerifier(),
  references: referenceReader(),
});
const recoveredMs = performance.now() - before;
if (what === "fill") await fill(Number(count));
global.gc?.();
process.send?.({ recoveredMs, residentMb: process.memoryUsage().rss / 1e6 });
process.exit();

async function fill(pipelines: number): Promise<void> {
  const silent = new TestAgent(hub, {
    packId: "bench",
    tenantId: "local",
    taskTypes: ["one", "two", "three"],
    maxTasks: 1_000_000,
    answer: () => undefined,
  });
  await silent.receive("welcome");
  const plan = create(PipelinePlanSchema, {
    name: "three",
    stages: ["one", "two", "three"].map((taskType, place, all) => ({
      stageId: taskType,
      taskType,
      config: { required: true, dependsOnStages: place === 0 ? [] : [all[place - 1] ?? ""] },
    })),
  });
  const caller = { tenantId: "local", id: "bench", kind: "human" } as const;
  let next = 0;
  const submit = async () => {
    while (next < pipelines) {
      const key = `open-${next++}`;
      const contract = { taskId: key, title: "Wait", acceptanceCriteria: ["x".repeat(1_500)] };
      const request = { idempotencyKey: key, plan: { case: "pipeline", value: plan } as const, contract };
      await hub.submitTask(caller, create(SubmitTaskRequestSchema, request));
    }
  };
  await Promise.all(Array.from({ length: 256 }, submit));
}
