import type { Command, PipelineState, StageState } from "../../kernel.ts";
import { waitOf } from "../../kernel.ts";
import { invariant } from "../../violation.ts";

/** Whether it was seen leaving the hub: an envelope on its way to an agent, or a call of a port. */
export type WasSent = (type: Command["type"], dispatchId: string) => boolean;

/**
 * A completed command is not repeated after a crash. It must have been sent by then, or be obsolete; the command of an
 * answered question completes together with the answer.
 */
export function checkCompletedCommand(
  command: Command,
  state: PipelineState | undefined,
  remaining: Iterable<Command>,
  wasSent: WasSent,
): void {
  invariant(
    !isOwed(command, state, wasSent) || isRepeated(command, remaining),
    "a command is completed only after it was sent",
    () => `${command.type} ${"dispatchId" in command ? command.dispatchId : ""} is completed too early`,
  );
}

function isOwed(command: Command, state: PipelineState | undefined, wasSent: WasSent): boolean {
  const isOver = state?.life.status !== "RUNNING" && state?.life.status !== "PAUSED";
  switch (command.type) {
    case "send":
      return !isOver && isIn(state, "sent", command.dispatchId) && !wasSent("send", command.dispatchId);
    case "verify":
      return !isOver && isIn(state, "verifying", command.dispatchId);
    case "guard":
      return !isOver && isGuarding(state, command.dispatchId);
    case "align":
      return !isOver && isAligning(state, command.subject, command.dispatchId);
    case "refresh":
      return !isOver && waits(state, "refresh", command);
    case "prepare-workspace":
      return !isOver && waits(state, "workspace", command);
    case "release-workspace":
      return !wasSent("release-workspace", command.dispatchId);
    default:
      return false;
  }
}

function isIn(state: PipelineState | undefined, kind: "sent" | "verifying", dispatchId: string): boolean {
  const isThere = (stage: StageState) =>
    stage.status === "DISPATCHED" && stage.phase.kind === kind && stage.phase.sent.dispatchId === dispatchId;
  return state?.stages.some(isThere) ?? false;
}

function isGuarding(state: PipelineState | undefined, dispatchId: string): boolean {
  const isThere = (stage: StageState) =>
    stage.status === "DISPATCHED" &&
    stage.phase.kind === "verifying" &&
    stage.phase.guarding === true &&
    stage.phase.sent.dispatchId === dispatchId;
  return state?.stages.some(isThere) ?? false;
}

function isAligning(state: PipelineState | undefined, subject: number, dispatchId: string): boolean {
  const alignment = state?.alignments?.get(subject);
  return alignment?.phase === "checking" && alignment.report.dispatchId === dispatchId;
}

function waits(
  state: PipelineState | undefined,
  kind: "refresh" | "workspace",
  { stageId, attempt }: { readonly stageId: string; readonly attempt: number },
): boolean {
  const stage = state?.stages[state.plan.indexOf.get(stageId) ?? -1];
  return stage !== undefined && stage.attempt === attempt && waitOf(stage)?.kind === kind;
}

/** References may be read again: the answer to the first command issues a second one. */
function isRepeated(command: Command, remaining: Iterable<Command>): boolean {
  if (command.type !== "refresh") return false;
  for (const other of remaining)
    if (other.type === "refresh" && other.stageId === command.stageId && other.attempt === command.attempt)
      return true;
  return false;
}
