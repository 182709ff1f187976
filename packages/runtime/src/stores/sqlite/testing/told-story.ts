/** What happens in the stores that are kept: the same in every version, so that one test knows what to find in each. */
import {
  AbortPipelineRequestSchema,
  ListPipelinesRequestSchema,
  Outcome,
  PausePipelineRequestSchema,
  type Pipeline,
  PipelineStatus,
  type TaskEnvelope,
} from "@baton/contract";
import { stages } from "@baton/kernel/testing";
import { create } from "@bufbuild/protobuf";
import { ada, planOf, reaches, submit, TestAgent } from "../../../../testing/index.ts";
import type { Hub } from "../../../hub/hub.ts";

/** The names of the pipelines, and how they are when the hub ends. */
export const story = {
  completed: PipelineStatus.COMPLETED,
  aborted: PipelineStatus.ABORTED,
  waiting: PipelineStatus.RUNNING,
  paused: PipelineStatus.PAUSED,
  asked: PipelineStatus.PAUSED,
} as const;

const soon = { handoffPolicy: { retry: { maxAttempts: 3, initialBackoff: { nanos: 1_000_000 } } } };

/** Tells the story to a hub. Afterwards, two pipelines have ended and three are open. */
export async function tell(hub: Hub): Promise<void> {
  const worker = new TestAgent(hub, { packId: "dev", maxTasks: 10, answer });
  await worker.hears("welcome");
  const ids = { completed: "", aborted: "", waiting: "", paused: "", asked: "" };
  for (const name of ["completed", "aborted", "waiting", "paused", "asked"] as const) {
    const value = { ...planOf(stages({ first: soon, second: soon })).value, name };
    const contract = { taskId: name, title: name, acceptanceCriteria: ["it is done"] };
    ids[name] = await submit(hub, { idempotencyKey: name, plan: { case: "pipeline", value }, contract });
  }
  // All of the first stages, and the second one of the pipeline that completes.
  await worker.hears("dispatch", 6);
  await reaches(hub, ids.completed, story.completed);
  await hub.abortPipeline(
    ada,
    create(AbortPipelineRequestSchema, { pipelineId: ids.aborted, reason: "not needed" }),
  );
  await hub.pausePipeline(
    ada,
    create(PausePipelineRequestSchema, { pipelineId: ids.paused, reason: "lunch" }),
  );
  await reaches(hub, ids.asked, story.asked);
  worker.vanish();
}

function answer({ contract }: TaskEnvelope) {
  if (contract?.title === "asked") {
    return { status: { outcome: Outcome.POLICY_BLOCKED, failureReason: "may I write there?" } };
  }
  return contract?.title === "completed" ? {} : undefined;
}

/** The pipelines by their names. */
export async function pipelinesOf(hub: Hub): Promise<ReadonlyMap<string, Pipeline>> {
  const { pipelines } = await hub.listPipelines(ada, create(ListPipelinesRequestSchema));
  return new Map(pipelines.map((pipeline) => [pipeline.pipelineName, pipeline]));
}
