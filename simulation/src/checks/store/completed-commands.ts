import type { Command, PipelineState, StageState } from "../../kernel.ts";
import { waitOf } from "../../kernel.ts";
import { demand } from "../../violation.ts";

/** Whether something was seen to leave the hub: an envelope on its way to an agent, a call of one of its ports. */
export type HasLeft = (type: Command["type"], dispatchId: string) => boolean;

/**
 * A command that is crossed off is not done again after a crash. So it has left by then, or nobody waits for it any more:
 * what has an answer is crossed off together with it.
 */
export function checkCrossedOff(
  command: Command,
  state: PipelineState | undefined,
  remaining: Iterable<Command>,
  hasLeft: HasLeft,
): void {
  demand(
    !isOwed(command, state, hasLeft) || isRepeated(command, remaining),
    "a command is crossed off only when it has left",
    () => `${command.type} ${"dispatchId" in command ? command.dispatchId : ""} is crossed off too early`,
  );
}

function isOwed(command: Command, state: PipelineState | undefined, hasLeft: HasLeft): boolean {
  const isOver = state?.life.status !== "RUNNING" && state?.life.status !== "PAUSED";
  switch (command.type) {
    case "send":
      return !isOver && isIn(state, "sent", command.dispatchId) && !hasLeft("send", command.dispatchId);
    case "verify":
      return !isOver && isIn(state, "verifying", command.dispatchId);
    case "refresh":
      return !isOver && waits(state, "refresh", command);
    case "prepare-workspace":
      return !isOver && waits(state, "workspace", command);
    case "release-workspace":
      return !hasLeft("release-workspace", command.dispatchId);
    default:
      return false;
  }
}

function isIn(state: PipelineState | undefined, kind: "sent" | "verifying", dispatchId: string): boolean {
  const isThere = (stage: StageState) =>
    stage.status === "DISPATCHED" && stage.phase.kind === kind && stage.phase.sent.dispatchId === dispatchId;
  return state?.stages.some(isThere) ?? false;
}

function waits(
  state: PipelineState | undefined,
  kind: "refresh" | "workspace",
  { stageId, attempt }: { readonly stageId: string; readonly attempt: number },
): boolean {
  const stage = state?.stages[state.plan.indexOf.get(stageId) ?? -1];
  return stage !== undefined && stage.attempt === attempt && waitOf(stage)?.kind === kind;
}

/** References may have to be read once more: the answer to the first command orders a second one. */
function isRepeated(command: Command, remaining: Iterable<Command>): boolean {
  if (command.type !== "refresh") return false;
  for (const other of remaining)
    if (other.type === "refresh" && other.stageId === command.stageId && other.attempt === command.attempt)
      return true;
  return false;
}
