import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { FailureStrategy, type Pipeline, PipelineStatus, SubmitTaskRequestSchema } from "@baton/contract";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { RunPath } from "./path.ts";
import { pathOfRun } from "./read-path.ts";
import { type TestClient, type TestHub, testClient } from "./test-client.ts";

export interface TestTask extends TestHub {
  /** The name of a workflow or template. A task has either this or `taskType`. */
  readonly template?: string;
  readonly taskType?: string;
  readonly title?: string;
  readonly acceptanceCriteria?: readonly string[];
  readonly inputs?: MessageInitShape<typeof SubmitTaskRequestSchema>["inputs"];
  /** Further fields of SubmitTaskRequest. */
  readonly request?: Omit<MessageInitShape<typeof SubmitTaskRequestSchema>, "$typeName" | "plan" | "inputs">;
  readonly signal?: AbortSignal;
}

/**
 * Submits a task, waits until it has ended or a person has to act, and reads its path. A stage that fails ends the run, unless
 * the request says otherwise. Throws the hub's error for a task that it refuses.
 */
export async function runTask(task: TestTask): Promise<RunPath> {
  const client = testClient(task);
  const { pipeline } = await client.orchestrator.submitTask(requestOf(task));
  if (pipeline === undefined) throw new Error("the hub accepted the task but returned no run");
  return pathOfRun(client, await waitUntilItRests(client, pipeline, task.signal));
}

/** Waits until a run has ended or a person has to act. */
export async function followRun({
  run,
  signal,
  ...hub
}: TestHub & { readonly run: string; readonly signal?: AbortSignal }): Promise<RunPath> {
  const client = testClient(hub);
  const { pipeline } = await client.orchestrator.getPipeline({ pipelineId: run });
  if (pipeline === undefined) throw new Error(`the hub has no run ${run}`);
  return pathOfRun(client, await waitUntilItRests(client, pipeline, signal));
}

const pollMs = 50;

async function waitUntilItRests(
  { orchestrator }: TestClient,
  submitted: Pipeline,
  signal?: AbortSignal,
): Promise<Pipeline> {
  const { pipelineId } = submitted;
  for (;;) {
    const { pipeline } = await orchestrator.getPipeline({ pipelineId });
    if (pipeline && rests(pipeline)) return pipeline;
    await pause(pollMs, undefined, signal && { signal });
  }
}

const atRest: ReadonlySet<PipelineStatus> = new Set([
  ...[PipelineStatus.COMPLETED, PipelineStatus.FAILED, PipelineStatus.ABORTED, PipelineStatus.PAUSED],
]);

function rests({ status, waitsForPerson }: Pipeline): boolean {
  return waitsForPerson || atRest.has(status);
}

function requestOf({ template, taskType, title, acceptanceCriteria, inputs, request }: TestTask) {
  if ((template === undefined) === (taskType === undefined))
    throw new TypeError("a task has either a template or a taskType");
  return create(SubmitTaskRequestSchema, {
    idempotencyKey: randomUUID(),
    failureStrategy: FailureStrategy.FAIL_FAST,
    ...request,
    plan: taskType ? { case: "taskType", value: taskType } : { case: "templateId", value: template ?? "" },
    contract: {
      taskId: `task-${randomUUID().replaceAll("-", "").slice(0, 16)}`,
      title: title ?? "A test",
      acceptanceCriteria: [...(acceptanceCriteria ?? ["it is done"])],
      ...request?.contract,
    },
    ...(inputs && { inputs }),
  });
}
