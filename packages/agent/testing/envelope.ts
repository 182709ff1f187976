import { randomUUID } from "node:crypto";
import { schemaVersion, type TaskEnvelope, TaskEnvelopeSchema } from "@baton/contract";
import { create, type JsonObject, type MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";

type Init = MessageInitShape<typeof TaskEnvelopeSchema>;

/** Overrides for a test; everything else makes a valid envelope. */
export interface EnvelopeInput {
  readonly taskId?: string;
  readonly title?: string;
  readonly taskType?: string;
  readonly dispatchId?: string;
  readonly attemptNumber?: number;
  readonly acceptanceCriteria?: readonly string[];
  /** Where commands run. */
  readonly workspace?: string;
  readonly inputs?: JsonObject;
  /** Default: a minute, unless there is a deadline. A hub states both. */
  readonly timeoutMs?: number;
  readonly deadlineMs?: number;
  /** Commands of the contract's checks. */
  readonly environment?: NonNullable<Init["contract"]>["environment"];
  readonly expectedFiles?: NonNullable<Init["contract"]>["expectedFiles"];
  readonly safety?: Init["safety"];
  readonly budget?: NonNullable<Init["execution"]>["budget"];
  readonly clarifications?: Init["clarifications"];
  readonly reviewFeedback?: Init["reviewFeedback"];
  /** Steps of earlier attempts; all of them unless `stepCount` says that the hub has more. */
  readonly steps?: NonNullable<Init["steps"]>["steps"];
  readonly stepCount?: number;
  /** Which further statuses the graph lets the response have. */
  readonly mayComplete?: boolean;
  readonly mayRetryWithInstruction?: boolean;
}

/** A valid TaskEnvelope as a hub sends it. */
export function envelope(input: EnvelopeInput = {}): TaskEnvelope {
  const taskId = input.taskId ?? "task-1";
  const { workspace, inputs, environment, expectedFiles, budget, reviewFeedback, steps, deadlineMs } = input;
  const timeoutMs = input.timeoutMs ?? (deadlineMs === undefined ? 60_000 : undefined);
  return create(TaskEnvelopeSchema, {
    protocolVersion: { schemaVersion },
    contract: {
      taskId,
      title: input.title ?? "A task",
      acceptanceCriteria: [...(input.acceptanceCriteria ?? ["it is done"])],
      ...(environment && { environment }),
      ...(expectedFiles && { expectedFiles }),
    },
    trace: {
      traceId: randomUUID().replaceAll("-", ""),
      spanId: randomUUID().replaceAll("-", "").slice(0, 16),
      tenantId: "default",
    },
    safety: input.safety ?? {},
    refs: [{ uriOrLocator: `task:${taskId}` }],
    execution: {
      idempotencyKey: taskId,
      dispatchId: input.dispatchId ?? `${taskId}/${randomUUID()}`,
      attemptNumber: input.attemptNumber ?? 1,
      ...(timeoutMs !== undefined && { timeout: durationFromMs(timeoutMs) }),
      ...(deadlineMs !== undefined && { deadline: timestampFromMs(deadlineMs) }),
      ...(budget && { budget }),
    },
    routing: { taskType: input.taskType ?? "" },
    clarifications: input.clarifications ?? [],
    mayComplete: input.mayComplete ?? false,
    mayRetryWithInstruction: input.mayRetryWithInstruction ?? false,
    ...(workspace !== undefined && { workspace: { repository: workspace, path: workspace } }),
    ...(inputs && { inputs }),
    ...(reviewFeedback && { reviewFeedback }),
    ...(steps && { steps: { count: input.stepCount ?? steps.length, steps } }),
  });
}
