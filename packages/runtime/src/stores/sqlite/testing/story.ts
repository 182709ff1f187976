/** The history in the recorded stores. It is the same for every version, so that one test covers all. */
import {
  AbortPipelineRequestSchema,
  GetTransitionsRequestSchema,
  ListPipelinesRequestSchema,
  Outcome,
  PausePipelineRequestSchema,
  type Pipeline,
  PipelineStatus,
  RewindPipelineRequestSchema,
  type TaskEnvelope,
} from "@baton/contract";
import { stages } from "@baton/kernel/testing";
import { create } from "@bufbuild/protobuf";
import {
  ada,
  dispatchOf,
  eventually,
  planOf,
  reaches,
  submit,
  TestAgent,
} from "../../../../testing/index.ts";
import { isTaken, turn } from "../../../agents/testing/reports.ts";
import { step } from "../../../agents/testing/steps.ts";
import type { Hub } from "../../../api/hub.ts";

/** The names of the pipelines, and their status at the end. */
export const story = {
  completed: PipelineStatus.COMPLETED,
  aborted: PipelineStatus.ABORTED,
  waiting: PipelineStatus.RUNNING,
  paused: PipelineStatus.PAUSED,
  asked: PipelineStatus.PAUSED,
} as const;

/** The first version with turns and a rewound pipeline. */
const sinceRewinds = 5;

/** The first version with a durable step of the first attempt of "waiting". */
export const sinceSteps = 11;

/** The pipelines in a store of a version. */
export function storyOf(version: number): Readonly<Record<string, PipelineStatus>> {
  return version < sinceRewinds ? story : { ...story, rewound: PipelineStatus.RUNNING };
}

const soon = { handoffPolicy: { retry: { maxAttempts: 3, initialBackoff: { nanos: 1_000_000 } } } };

/** Runs the story in a hub. Afterwards two pipelines have ended and four are open. */
export async function runStory(hub: Hub): Promise<void> {
  const worker = new TestAgent(hub, { packId: "dev", maxTasks: 10, answer });
  await worker.receive("welcome");
  const ids = { completed: "", aborted: "", waiting: "", paused: "", asked: "", rewound: "" };
  for (const name of ["completed", "aborted", "waiting", "paused", "asked", "rewound"] as const) {
    const value = { ...planOf(stages({ first: soon, second: soon })).value, name };
    const contract = { taskId: name, title: name, acceptanceCriteria: ["it is done"] };
    ids[name] = await submit(hub, { idempotencyKey: name, plan: { case: "pipeline", value }, contract });
  }
  // All first stages, and the second stage of the pipeline that completes.
  await worker.receive("dispatch", 7);
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
  await rewind(hub, ids.rewound, worker);
  worker.say(step("paid", { valueJson: '{"text":"kept"}' }), `${ids.waiting}/first/1`);
  await isTaken(worker);
  worker.vanish();
}

/** Completes both stages with a turn each, rewinds to the first, and waits for the second to be dispatched again. */
async function rewind(hub: Hub, pipelineId: string, worker: TestAgent): Promise<void> {
  const sent = (stageId: string, attempt: number) =>
    eventually("an envelope", () =>
      worker.envelopes.find((one) => dispatchOf(one) === `${pipelineId}/${stageId}/${attempt}`),
    );
  for (const stageId of ["first", "second"]) {
    const envelope = await sent(stageId, 1);
    worker.say(turn(0), dispatchOf(envelope));
    worker.answer(envelope);
  }
  await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
  const request = create(GetTransitionsRequestSchema, { pipelineId, stageId: "first" });
  const { transitions } = await hub.getTransitions(ada, request);
  const toRevision = transitions.findLast(({ toStatus }) => toStatus === "COMPLETED")?.revision ?? 0n;
  const asked = { pipelineId, toRevision, reason: "a wrong turn" };
  await hub.rewindPipeline(ada, create(RewindPipelineRequestSchema, asked));
  await sent("second", 2);
}

function answer({ contract }: TaskEnvelope) {
  if (contract?.title === "asked") {
    return { status: { outcome: Outcome.POLICY_BLOCKED, failureReason: "may I write there?" } };
  }
  return contract?.title === "completed" ? {} : undefined;
}

/** The pipelines by name. */
export async function pipelinesOf(hub: Hub): Promise<ReadonlyMap<string, Pipeline>> {
  const { pipelines } = await hub.listPipelines(ada, create(ListPipelinesRequestSchema));
  return new Map(pipelines.map((pipeline) => [pipeline.pipelineName, pipeline]));
}
