import {
  GetPipelineRequestSchema,
  type Pipeline,
  type PipelinePolicySchema,
  PipelineSchema,
  PipelineStatus,
  type Stage,
  SubmitTaskRequestSchema,
  WatchEventsRequestSchema,
} from "@baton/contract";
import { testPolicy } from "@baton/kernel/testing";
import { create, type MessageInitShape, toJson } from "@bufbuild/protobuf";
import type { Hub } from "../src/api/hub.ts";
import { type ConfigurableHub, createHub, type HubParts } from "../src/compose/create-hub.ts";
import type { Caller } from "../src/ports/caller.ts";
import { HubError } from "../src/ports/hub-error.ts";
import type { ReferenceReader, Verifier } from "../src/ports/outside.ts";
import { openMemoryStore } from "../src/stores/index.ts";
import { settles } from "./eventually.ts";

export const ada: Caller = { tenantId: "acme", id: "ada", kind: "human" };

/** Verifies nothing; for tests that are not about evidence. */
export const noVerifier: Verifier = { verify: async () => ({ commands: [], changes: undefined }) };
export const noReferences: ReferenceReader = {
  read: async ({ refs }) => refs.map(() => ({ ok: false, reason: "nobody reads here" })),
};

export function testHub(parts: Partial<HubParts> = {}): Promise<ConfigurableHub> {
  return createHub({
    store: openMemoryStore(),
    policy: testPolicy(),
    templates: new Map(),
    orchestratorVersion: "0.1.0",
    verifier: noVerifier,
    references: noReferences,
    onProblem: (problem) => console.error(problem),
    ...parts,
  });
}

/** The plain fields of a task, not a message of its own. */
type TaskInit = Extract<MessageInitShape<typeof SubmitTaskRequestSchema>, { readonly $typeName?: never }>;

export function task(init: TaskInit = {}) {
  return create(SubmitTaskRequestSchema, {
    idempotencyKey: "key-1",
    plan: { case: "taskType", value: "code" },
    contract: { taskId: "task-1", title: "Do it", acceptanceCriteria: ["it is done"] },
    refs: [{ uriOrLocator: "src/it.ts" }],
    ...init,
  });
}

/** Watches until the pipeline has one of these statuses. */
export async function reaches(
  hub: Hub,
  pipelineId: string,
  ...statuses: PipelineStatus[]
): Promise<Pipeline> {
  const enough = new AbortController();
  const watching = async () => {
    // Only moves of the pipeline itself: reading a thousand stages on every move takes minutes.
    const filter = `pipeline_id = "${pipelineId}" AND stage_id = ""`;
    const request = create(WatchEventsRequestSchema, { filter, afterSequence: 0n });
    for await (const _ of hub.watchEvents(ada, request, enough.signal)) {
      const pipeline = await read(hub, pipelineId);
      if (statuses.includes(pipeline.status)) return pipeline;
    }
    return read(hub, pipelineId);
  };
  const names = statuses.map((status) => PipelineStatus[status]).join(" or ");
  const seen = async () => toJson(PipelineSchema, await read(hub, pipelineId));
  return settles(watching(), `pipeline ${pipelineId} to be ${names}`, seen).finally(() => enough.abort());
}

/** The pipeline as it is now. */
export async function read(hub: Hub, pipelineId: string, caller = ada): Promise<Pipeline> {
  const { pipeline } = await hub.getPipeline(caller, create(GetPipelineRequestSchema, { pipelineId }));
  if (!pipeline) throw new Error("an answer has a pipeline");
  return pipeline;
}

/** Submits a task and returns the id of its pipeline. */
export async function submit(hub: Hub, init: TaskInit = {}, caller = ada): Promise<string> {
  const { pipeline } = await hub.submitTask(caller, task(init));
  return pipeline?.pipelineId ?? "";
}

/** A plan of stages for a submission. */
export function planOf(
  stages: readonly Stage[],
  policy?: MessageInitShape<typeof PipelinePolicySchema>,
): Extract<TaskInit["plan"], { case: "pipeline" }> {
  return { case: "pipeline", value: { name: "Test", stages: [...stages], ...(policy && { policy }) } };
}

/** The error of a refused call. */
export async function refusalOf(call: Promise<unknown>): Promise<HubError> {
  const outcome = await settles(call, "a refusal").then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome instanceof HubError) return outcome;
  throw new Error("it was not refused by the hub", { cause: outcome });
}

export const ended = [PipelineStatus.COMPLETED, PipelineStatus.FAILED, PipelineStatus.ABORTED] as const;
