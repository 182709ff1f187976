/** What a hub stores of one pipeline of the benchmark, taken from a real hub, so that others can be written like it. */
import { PipelinePlanSchema, PipelineStatus, SubmitTaskRequestSchema } from "@baton/contract";
import { type Batch, commandVerifier, createHub, openMemoryStore, referenceReader } from "@baton/runtime";
import { eventually, read, TestAgent } from "@baton/runtime/testing";
import { create } from "@bufbuild/protobuf";

export interface RecordedPipeline {
  readonly pipelineId: string;
  /** In their order. Each has the transition of one step, and what comes with it. */
  readonly batches: readonly Batch[];
}

const caller = { tenantId: "local", id: "bench", kind: "human" } as const;

/** Runs some pipelines of three stages, and gives the last. */
export async function recordPipeline(): Promise<RecordedPipeline> {
  const store = openMemoryStore();
  let batches: Batch[] = [];
  const commit = store.commit.bind(store);
  store.commit = async (batch) => {
    batches.push(structuredClone(batch));
    await commit(batch);
  };
  const hub = await createHub({
    store,
    templates: new Map(),
    orchestratorVersion: "0.1.0",
    verifier: commandVerifier(),
    references: referenceReader(),
  });
  const taskTypes = ["one", "two", "three"];
  const agent = new TestAgent(hub, { packId: "bench", tenantId: caller.tenantId, taskTypes, maxTasks: 500 });
  await agent.receive("welcome");
  const plan = create(PipelinePlanSchema, {
    name: "three",
    stages: taskTypes.map((taskType, place, all) => ({
      stageId: taskType,
      taskType,
      config: { required: true, dependsOnStages: place === 0 ? [] : [all[place - 1] ?? ""] },
    })),
  });
  let pipelineId = "";
  for (let run = 0; run < 3; run++) {
    batches = [];
    const key = `bench-1000-${run}`;
    const request = create(SubmitTaskRequestSchema, {
      idempotencyKey: key,
      plan: { case: "pipeline", value: plan },
      contract: { taskId: key, title: "Do nothing", acceptanceCriteria: ["x".repeat(1_500)] },
    });
    const { pipeline } = await hub.submitTask(caller, request);
    const id = pipeline?.pipelineId ?? "";
    pipelineId = id;
    const isDone = async () => (await read(hub, id, caller)).status === PipelineStatus.COMPLETED;
    await eventually("the pipeline to complete", isDone);
  }
  return { pipelineId, batches: batches.filter(({ transitions }) => transitions.length > 0) };
}
