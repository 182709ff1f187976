import { EventSchema, type Workspace } from "@baton/contract";
import {
  type CheckFinding,
  type Guarded,
  type PipelineInput,
  type PreparedWorkspace,
  type RefreshOutcome,
  type ReviewSubmission,
  spanIdOf,
  type Verification,
} from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { AgentConnections } from "../agents/connections.ts";
import type { Engine } from "../engine/engine.ts";
import { pipelineIdFor } from "../engine/pipeline-id.ts";
import type {
  Alignments,
  Guards,
  ReferenceReader,
  ReportWorkLeft,
  Restored,
  Verifier,
  Workspaces,
} from "../ports/outside.ts";
import type { PublishPulses } from "../ports/pulse.ts";
import { type PendingCommand, stageOf } from "../ports/stored-command.ts";
import type { Deliveries } from "../webhooks/deliveries.ts";
import type { Restorations } from "./restorations.ts";

export interface Executors {
  readonly connections: AgentConnections;
  readonly verifier: Verifier;
  readonly guards: Guards;
  readonly alignments: Alignments;
  readonly references: ReferenceReader;
  readonly uuid: () => string;
  readonly workspaces: Workspaces;
  readonly restorations: Restorations;
  readonly deliveries: Pick<Deliveries, "take">;
  /** Aborts when the hub closes: unfinished commands are executed after the restart. */
  readonly signal: AbortSignal;
}

const unread: RefreshOutcome = { ok: false, reason: "it could not be read" };

/** Executes a stored command. It leaves the outbox when it is done, or with its answer. */
export function executeCommand(executors: Executors, order: PendingCommand, engine: Engine): void {
  const { connections, guards, references, workspaces, signal } = executors;
  const { id, pipelineId, command } = order;
  const answer = (input: PipelineInput) => void engine.enqueue(pipelineId, input, { answers: id });
  switch (command.type) {
    case "send":
      connections.send(order, command, {
        sent: () => engine.completeCommand(id),
        away: (reason) =>
          answer({ type: "not-delivered", dispatchId: command.dispatchId, reason, away: true }),
        failed: (reason) => {
          // It may have been sent before the restart.
          const type = order.again ? "agent-lost" : "not-delivered";
          answer({ type, dispatchId: command.dispatchId, reason });
        },
      });
      return;
    case "cancel":
      connections.cancel(order, command, () => engine.completeCommand(id));
      return;
    case "verify": {
      const { dispatchId } = command;
      const report = (verification: Verification) => answer({ type: "verified", dispatchId, verification });
      const publish = publishPulses(order, dispatchId, engine, executors.uuid);
      void verify(executors, command, publish).then(report, (error: unknown) => {
        if (!signal.aborted) report({ commands: [], changes: undefined, unseen: String(error) });
      });
      return;
    }
    case "guard": {
      const { dispatchId } = command;
      const decided = (guarded: Guarded) => answer({ type: "guarded", dispatchId, guarded });
      void guards.check(command, signal).then(decided, (error: unknown) => {
        const fault = { name: "guardrails", decision: "ERROR", rule: "", path: "" } as const;
        if (!signal.aborted)
          decided({ verdicts: [{ ...fault, reason: `the hub failed: ${String(error)}` }] });
      });
      return;
    }
    case "align": {
      const { subject, dispatchId } = command;
      const checked = (findings: readonly CheckFinding[]) =>
        answer({ type: "alignment-checked", subject, dispatchId, findings });
      void executors.alignments.check(command, signal).then(checked, (error: unknown) => {
        if (!signal.aborted) checked([failedChecks(String(error))]);
      });
      return;
    }
    case "prepare-workspace": {
      const { stageId, attempt } = command;
      const answerPrepared = (made: PreparedWorkspace) =>
        answer({ type: "workspace-prepared", stageId, attempt, made });
      void workspaces.prepare(command, signal).then(answerPrepared, (error: unknown) => {
        const fix = "look into the hub's log, and answer with retry";
        if (!signal.aborted) answerPrepared({ ok: false, reason: String(error), fix });
      });
      return;
    }
    case "release-workspace": {
      const left: ReportWorkLeft = (dispatchId, commit) =>
        engine.enqueue(pipelineId, { type: "work-left", dispatchId, commit });
      // A workspace that cannot be removed now is removed at the next start.
      void workspaces.release(command, signal, left).then(
        () => engine.completeCommand(id),
        () => !signal.aborted && engine.completeCommand(id),
      );
      return;
    }
    case "restore-branches": {
      const done = (outcome: Restored) => {
        executors.restorations.settle(command.restoreId, outcome);
        if (outcome.ok) engine.completeCommand(id);
        else answer({ type: "branches-not-restored", reason: outcome.reason, fix: outcome.fix });
      };
      void workspaces.restore(command, signal).then(done, (error: unknown) => {
        const fix = "look into the hub's log, and rewind to the same transition again";
        if (!signal.aborted) done({ ok: false, reason: String(error), fix });
      });
      return;
    }
    case "dispatch-review": {
      const child = reviewPipelineId(order.tenantId, command.dispatchId);
      void engine.enqueue(child, reviewInput(order, child, command.submission), { answers: id });
      return;
    }
    case "withdraw-review": {
      const child = reviewPipelineId(order.tenantId, command.dispatchId);
      const by = { kind: "system", id: "baton" } as const;
      const reason = "the work is no longer under review";
      void engine.enqueue(child, { type: "abort", reason, by }, { answers: id });
      return;
    }
    case "report-review": {
      const { stageId, dispatchId, verdict, reason, by } = command;
      const input = { type: "agent-reviewed", stageId, dispatchId, verdict, reason, by } as const;
      void engine.enqueue(command.pipelineId, input, { answers: id });
      return;
    }
    case "report-consultation": {
      const { consultedAbout: subject, dispatchId, verdict, notes, packId } = command;
      const input = { type: "consulted", subject, dispatchId, verdict, notes, packId } as const;
      void engine.enqueue(command.pipelineId, input, { answers: id });
      return;
    }
    case "deliver": {
      const { delivery } = command;
      executors.deliveries.take(
        { ...order, delivery },
        {
          done: () => engine.completeCommand(id),
          undelivered: (host, reason) => answer({ type: "undelivered", delivery, host, reason }),
        },
      );
      return;
    }
    case "refresh": {
      const { stageId, attempt, refs, workspace, ownPlace } = command;
      const read = (outcomes: readonly RefreshOutcome[]) =>
        answer({
          ...{ type: "refreshed", stageId, attempt },
          refs: refs.map((ref, index) => ({ ref, outcome: outcomes[index] ?? unread })),
        });
      void references.read({ tenantId: order.tenantId, refs, workspace, ownPlace }, signal).then(read, () => {
        if (!signal.aborted) read([]);
      });
      return;
    }
  }
}

/** Nothing was checked, so that a person decides. */
function failedChecks(reason: string): CheckFinding {
  const notes = `the hub failed: ${reason}`;
  return {
    principle: "constitution",
    check: "",
    kind: "",
    severity: "high",
    status: "ESCALATE",
    notes,
    path: "",
  };
}

/**
 * Inspects and commits the agent's work first. The contract's commands run in a copy of that commit, so that nothing else
 * that the agent left can make them pass.
 */
async function verify(
  { verifier, workspaces, signal }: Executors,
  {
    dispatchId,
    environment,
    testsToRun,
    workspace,
    artifacts,
    place,
    rootCommit,
  }: Extract<PendingCommand["command"], { type: "verify" }>,
  publish: PublishPulses,
): Promise<Verification> {
  const { filesSinceRoot, ...left } = await workspaces.look(
    { workspace, artifacts, place, rootCommit },
    signal,
  );
  if (place && left.commit === undefined) return { commands: [], ...left };
  const { changes, commit, artifacts: found } = left;
  const kept = place &&
    commit !== undefined && {
      ...{ changes, filesSinceRoot },
      copy: (asInBase?: readonly string[]) =>
        workspaces.copy({ branch: place.branch, commit, asInBase, rootCommit }, signal),
    };
  const seen = await verifier.verify(
    { dispatchId, environment, testsToRun, workspace, ...(kept && { kept }) },
    signal,
    publish,
  );
  const whole = await measure(workspaces, { workspace, commit, rootCommit }, signal);
  return {
    ...seen,
    ...(commit !== undefined && { commit }),
    ...(found && { artifacts: found }),
    ...(whole && { whole }),
  };
}

/** The size of what a reviewer has to read: the changes of the attempt and of all stages that it builds on. */
function measure(
  workspaces: Workspaces,
  { workspace, commit, rootCommit }: MeasureJob,
  signal: AbortSignal,
): Promise<Verification["whole"]> {
  const { repository, path, baseCommit } = workspace;
  if (commit !== undefined && rootCommit !== undefined)
    return workspaces.measure({ repository, base: rootCommit, commit }, signal);
  if (commit !== undefined || path === "") return Promise.resolve(undefined);
  return workspaces.measure({ folder: path, base: rootCommit ?? baseCommit }, signal);
}

interface MeasureJob {
  readonly workspace: Workspace;
  readonly commit: string | undefined;
  readonly rootCommit: string | undefined;
}

/** Publishes what a command of the gate prints, as events of the attempt that it checks (SAOP §2). */
function publishPulses(
  { tenantId, pipelineId }: Pick<PendingCommand, "tenantId" | "pipelineId">,
  dispatchId: string,
  engine: Engine,
  uuid: () => string,
): PublishPulses {
  const about = { tenantId, pipelineId, stageId: stageOf(dispatchId), dispatchId };
  return async (pulses) => {
    const timestamp = timestampFromMs(engine.nowMs);
    const events = pulses.map((pulse) => {
      const payload = { case: "sandboxPulse", value: { ...pulse, timestamp } } as const;
      return create(EventSchema, { eventId: uuid(), sessionId: pipelineId, payload });
    });
    await engine.publish({ ...about, events });
  };
}

/** An attempt has one review run, so that a command that is executed twice starts one. */
function reviewPipelineId(tenantId: string, dispatchId: string): string {
  // Callers' keys have no control characters, so the ids cannot collide.
  return pipelineIdFor(tenantId, `\u0000review/${dispatchId}`);
}

/** The run in which a reviewer agent judges an attempt, in the trace of that attempt. */
function reviewInput(
  { tenantId, traceId }: PendingCommand,
  pipelineId: string,
  submission: ReviewSubmission,
): Extract<PipelineInput, { type: "submit" }> {
  return {
    type: "submit",
    ...submission,
    ...{ pipelineId, tenantId, traceId, templateId: "" },
    parentSpanId: spanIdOf(submission.reviewOf.dispatchId),
    by: { kind: "orchestrator", id: "baton" },
  };
}
