import {
  AbortPipelineRequestSchema,
  AuditEntrySchema,
  AuditEventType,
  canonicalJson,
  SubmitTaskRequestSchema,
} from "@baton/contract";
import { hasEnded, type PipelineState } from "@baton/kernel";
import {
  type Ack,
  formatTimestamp,
  hasOutcome,
  keyOfTask,
  type Nack,
  type NumberedResult,
  type Result,
  readTask,
  readTaskText,
  sapVersion,
  type Task,
  type Transcript,
  taskFromContract,
  taskToContract,
  UuidSchema,
} from "@baton/protocols/sap";
import { create, fromBinary } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { pipelineIdFor } from "../../engine/pipeline-id.ts";
import { available } from "../../ports/available.ts";
import type { Caller } from "../../ports/caller.ts";
import type { ReferenceReader } from "../../ports/outside.ts";
import type { HubContext } from "../context.ts";
import type { GovernedTasks } from "../governed-tasks.ts";
import type { Hub } from "../hub.ts";
import { checkAttachments, checkDeadline, checkRoute } from "./check-task.ts";
import { nack, type Refusal, refusalOf, type TaskIds } from "./nack.ts";
import { resultOfState, resultsOfRun } from "./results-of-run.ts";
import { taskDigestOf } from "./task-digest.ts";

interface Parts {
  readonly context: HubContext;
  readonly calls: Pick<Hub, "submitTask" | "abortPipeline" | "onChangeHint">;
  readonly references: ReferenceReader;
}

/** The calls of governed tasks in the dialect of SAP. */
export function governedCalls({ context, calls, references }: Parts): GovernedTasks {
  const { engine, store, chance, configuration } = context;
  const redactor = context.filter.at("answer");
  const make = { uuid: () => chance.uuid(), nowMs: () => engine.nowMs };
  const refuse = (ids: TaskIds, refusal: Refusal) => nack(make, ids, refusal);

  const stateOf = async ({ tenantId }: Caller, taskId: string): Promise<PipelineState | undefined> => {
    const state = await available(engine.pipeline(pipelineIdFor(tenantId, keyOfTask(taskId))));
    return state?.tenantId === tenantId && state.task.governance ? state : undefined;
  };

  /** Runs a call about a task that exists; a missing one and another tenant's have the same answer. */
  const withTask = async <Answer>(
    caller: Caller,
    taskId: string,
    call: (state: PipelineState) => Promise<Answer>,
  ): Promise<Answer | Nack> => {
    const isId = UuidSchema.safeParse(taskId).success;
    try {
      const state = isId ? await stateOf(caller, taskId) : undefined;
      return state ? await call(state) : refuse(isId ? { taskId } : {}, noTask);
    } catch (error) {
      return refuse(isId ? { taskId } : {}, refusalOf(error));
    }
  };

  const acknowledge = (task: Task, state: PipelineState, existing: boolean): Ack => ({
    protocolVersion: sapVersion,
    kind: "ack",
    messageId: chance.uuid(),
    taskId: task.taskId,
    ...(typeof task.parentTaskId === "string" && { parentTaskId: task.parentTaskId }),
    correlationId: task.correlationId,
    acknowledgedAt: formatTimestamp(engine.nowMs),
    status: resultOfState(state, redactor).status,
    existing,
    pipelineId: state.id,
    ...(task.replyTo?.expectAck === false && { expected: false }),
  });

  /** A task that was submitted before: its deadline may have passed since, and its route may be gone. */
  const again = (task: Task, state: PipelineState): Ack | Nack => {
    const first = taskFromContract(state.task);
    if (first && canonicalJson(first) === canonicalJson(task)) return acknowledge(task, state, true);
    return refuse(task, otherContent);
  };

  return {
    async submit(caller, given, { correlationId } = {}) {
      const read =
        given instanceof Uint8Array ? readTaskText(given, engine.nowMs) : readTask(given, engine.nowMs);
      if (!read.ok) return refuse(read, invalidTask(read.violations));
      const { task } = read;
      if (correlationId !== undefined && correlationId !== task.correlationId)
        return refuse(task, otherCorrelation);
      try {
        const earlier = await stateOf(caller, task.taskId);
        if (earlier) return again(task, earlier);
        const isTemplate = configuration.templates.has(task.target.capability);
        const policy = engine.policy(caller.tenantId);
        const refused =
          checkRoute(task, policy, isTemplate) ??
          checkDeadline(task, engine.nowMs) ??
          (await checkAttachments(task, caller.tenantId, references, context.closing));
        if (refused) return refuse(task, refused);
        const { existing } = await calls.submitTask(caller, taskToContract(task, { isTemplate }));
        const state = await stateOf(caller, task.taskId);
        if (!state) throw new Error("a task that was submitted has a run");
        return acknowledge(task, state, existing);
      } catch (error) {
        const refusal = refusalOf(error);
        return refuse(task, refusal.id === "BATON-PIPELINE-005" ? otherContent : refusal);
      }
    },

    result: (caller, taskId) => withTask(caller, taskId, async (state) => resultOfState(state, redactor)),

    follow: (caller, taskId, after, signal) =>
      withTask(caller, taskId, async (state) => {
        const read = () => resultsOfRun(store, state.id, redactor);
        return followResults({ read, after, signal }, (onChange) =>
          calls.onChangeHint(caller, ({ pipelines }) => {
            if (pipelines.includes(state.id)) onChange();
          }),
        );
      }),

    cancel: (caller, taskId, reason) =>
      withTask(caller, taskId, async (state) => {
        if (!hasEnded(state)) {
          const request = create(AbortPipelineRequestSchema, { pipelineId: state.id, reason });
          await calls.abortPipeline(caller, request);
        }
        return resultOfState((await stateOf(caller, taskId)) ?? state, redactor);
      }),

    transcript: (caller, taskId) =>
      withTask(caller, taskId, async (state) => {
        const { message } = redactor.redactMessage(SubmitTaskRequestSchema, state.task);
        const task = taskFromContract(message);
        const taskDigest = taskDigestOf(state.task);
        if (!task || taskDigest === undefined)
          throw new Error("a governed task comes back from the contract");
        return {
          protocolVersion: sapVersion,
          taskId: task.taskId,
          correlationId: task.correlationId,
          pipelineId: state.id,
          task,
          taskDigest,
          results: [...(await resultsOfRun(store, state.id, redactor))],
          record: await entriesOf(store, caller.tenantId, state.id),
        };
      }),
  };
}

/** Reads the Results again after each change, and yields those that are new. */
async function* followResults(
  {
    read,
    after,
    signal,
  }: {
    readonly read: () => Promise<readonly Result[]>;
    readonly after: number;
    readonly signal: AbortSignal;
  },
  listen: (onChange: () => void) => () => void,
): AsyncGenerator<NumberedResult> {
  let sent = after;
  let changed = true;
  let wake = () => {};
  // Listens before the first read, so that no change is missed.
  const stop = listen(() => {
    changed = true;
    wake();
  });
  const onAbort = () => wake();
  signal.addEventListener("abort", onAbort);
  try {
    while (!signal.aborted) {
      changed = false;
      const results = await read();
      for (const [index, result] of results.entries()) {
        if (index < sent) continue;
        sent = index + 1;
        yield { number: sent, result };
        if (signal.aborted) return;
      }
      const last = results.at(-1);
      if (last && hasOutcome(last)) return;
      if (!changed && !signal.aborted) await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    stop();
    signal.removeEventListener("abort", onAbort);
  }
}

/** Entries of the audit record in a transcript. */
const maxEntries = 1_000;

async function entriesOf(
  store: HubContext["store"],
  tenantId: string,
  pipelineId: string,
): Promise<Transcript["record"]> {
  const rows = await available(
    store.auditEntries({
      tenantId,
      where: [{ field: "pipelineId", operator: "=", value: pipelineId }],
      orderBy: [{ field: "sequence", descending: false }],
      after: undefined,
      limit: maxEntries,
    }),
  );
  return rows.map(({ entry: bytes }) => {
    const entry = fromBinary(AuditEntrySchema, bytes);
    return {
      sequence: Number(entry.sequence),
      eventType: AuditEventType[entry.eventType] ?? "",
      at: formatTimestamp(entry.timestamp ? timestampMs(entry.timestamp) : 0),
      hash: `sha256:${Buffer.from(entry.entryHash ?? []).toString("hex")}`,
    };
  });
}

const noTask: Refusal = {
  code: "NOT_FOUND",
  id: "BATON-SAP-006",
  message: "there is no task with this taskId",
  fix: "use the taskId of a Task that this hub has acknowledged",
};

const otherContent: Refusal = {
  code: "INVALID_TASK",
  id: "BATON-SAP-002",
  message: "the taskId was used for another task",
  fix: "use a new taskId for a new task, and the same content for the same one",
  violations: [
    {
      path: "taskId",
      rule: "conflict",
      message: "was used for another task",
      fix: "use a new taskId for a new task, and the same content for the same one",
    },
  ],
};

const otherCorrelation: Refusal = {
  code: "INVALID_TASK",
  id: "BATON-SAP-007",
  message: "X-Correlation-Id differs from the correlationId of the task",
  fix: "write the same, or leave it out",
  violations: [
    {
      path: "X-Correlation-Id",
      rule: "correlation",
      message: "differs from the correlationId of the task",
      fix: "write the same, or leave it out",
    },
  ],
};

function invalidTask(violations: Refusal["violations"] & object): Refusal {
  const [first] = violations;
  const more = violations.length > 1 ? `, and ${violations.length - 1} more` : "";
  const message = first ? `${first.path || "the task"}: ${first.message}${more}` : "the task is invalid";
  return {
    ...{ code: "INVALID_TASK", id: "BATON-SAP-001", message },
    ...{ fix: first?.fix ?? "see docs/reference/sap.md", violations },
  };
}
