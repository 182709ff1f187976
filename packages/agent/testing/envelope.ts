import { randomUUID } from "node:crypto";
import { schemaVersion, type TaskEnvelope, TaskEnvelopeSchema } from "@baton/contract";
import { create, type JsonObject, type MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";

type Init = MessageInitShape<typeof TaskEnvelopeSchema>;

/** What a test wants to be different; the rest makes a valid envelope. */
export interface EnvelopeGiven {
  readonly taskId?: string;
  readonly title?: string;
  readonly taskType?: string;
  readonly dispatchId?: string;
  readonly attemptNumber?: number;
  readonly acceptanceCriteria?: readonly string[];
  /** Where commands run. */
  readonly workspace?: string;
  readonly inputs?: JsonObject;
  /** How long the attempt may take; a minute unless this or a deadline is stated. A hub states both. */
  readonly timeoutMs?: number;
  readonly deadlineMs?: number;
  /** Commands of the contract's checks. */
  readonly environment?: NonNullable<Init["contract"]>["environment"];
  readonly expectedFiles?: NonNullable<Init["contract"]>["expectedFiles"];
  readonly safety?: Init["safety"];
  readonly budget?: NonNullable<Init["execution"]>["budget"];
  readonly clarifications?: Init["clarifications"];
  readonly reviewFeedback?: Init["reviewFeedback"];
}

/** A valid TaskEnvelope, as a hub would send it. */
export function envelope(given: EnvelopeGiven = {}): TaskEnvelope {
  const taskId = given.taskId ?? "task-1";
  const { workspace, inputs, environment, expectedFiles, budget, reviewFeedback, deadlineMs } = given;
  const timeoutMs = given.timeoutMs ?? (deadlineMs === undefined ? 60_000 : undefined);
  return create(TaskEnvelopeSchema, {
    protocolVersion: { schemaVersion },
    contract: {
      taskId,
      title: given.title ?? "A task",
      acceptanceCriteria: [...(given.acceptanceCriteria ?? ["it is done"])],
      ...(environment && { environment }),
      ...(expectedFiles && { expectedFiles }),
    },
    trace: {
      traceId: randomUUID().replaceAll("-", ""),
      spanId: randomUUID().replaceAll("-", "").slice(0, 16),
      tenantId: "default",
    },
    safety: given.safety ?? {},
    refs: [{ uriOrLocator: `task:${taskId}` }],
    execution: {
      idempotencyKey: taskId,
      dispatchId: given.dispatchId ?? `${taskId}/${randomUUID()}`,
      attemptNumber: given.attemptNumber ?? 1,
      ...(timeoutMs !== undefined && { timeout: durationFromMs(timeoutMs) }),
      ...(deadlineMs !== undefined && { deadline: timestampFromMs(deadlineMs) }),
      ...(budget && { budget }),
    },
    routing: { taskType: given.taskType ?? "" },
    clarifications: given.clarifications ?? [],
    ...(workspace !== undefined && { workspace: { repository: workspace, path: workspace } }),
    ...(inputs && { inputs }),
    ...(reviewFeedback && { reviewFeedback }),
  });
}
