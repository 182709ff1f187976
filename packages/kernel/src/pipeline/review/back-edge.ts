import type { AgentResult } from "@baton/contract";
import { evaluateCondition } from "../../graph/cel/condition.ts";
import type { Draft } from "../decision/draft.ts";
import type { RewindEdgePlan } from "../plan/plan-stage.ts";
import { reportProblem } from "../stage/advance.ts";
import { ownScope } from "../state/graph-scope.ts";

/** The first back edge whose condition holds and whose bound is not reached; -1 without one. */
export function findBackEdge(draft: Draft, index: number, result: AgentResult): number {
  const { rewindEdges } = draft.plan(index);
  if (rewindEdges.length === 0) return -1;
  const { edgesTaken } = draft.stage(index);
  const scope = ownScope(draft.state, index, result);
  const holds = ({ condition, target }: RewindEdgePlan): boolean => {
    const verdict = evaluateCondition(condition, scope);
    if (verdict.kind !== "true" && verdict.kind !== "false")
      reportNotTaken(draft, index, target, verdict.reason);
    return verdict.kind === "true";
  };
  return rewindEdges.findIndex(
    (edge, position) =>
      (edgesTaken[position] ?? 0) < edge.maxTimes &&
      (edge.target === index || draft.stage(edge.target).status === "COMPLETED") &&
      holds(edge),
  );
}

/** SACP §4.1: a condition that cannot be evaluated is false and reported. */
function reportNotTaken(draft: Draft, index: number, target: number, reason: string): void {
  const edge = `the edge from "${draft.plan(index).id}" back to "${draft.plan(target).id}"`;
  reportProblem(
    draft,
    index,
    `${edge} is not taken: its condition cannot be evaluated: ${reason}`,
    "the run goes on as if it were false",
  );
}
