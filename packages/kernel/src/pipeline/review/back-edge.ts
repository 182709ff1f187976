import type { AgentResult } from "@baton/contract";
import { evaluateCondition } from "../../graph/cel/condition.ts";
import type { Draft } from "../decision/draft.ts";
import type { RewindEdgePlan } from "../plan/plan-stage.ts";
import { reportProblem } from "../stage/advance.ts";
import { ownScope } from "../state/graph-scope.ts";

/** What the back edges of a stage say about its answer. */
export type BackEdge =
  | { readonly kind: "taken"; readonly edge: number }
  /** A condition holds, and its edge cannot be taken: `why` says what prevents it. */
  | { readonly kind: "blocked"; readonly why: string }
  /** No condition holds. */
  | { readonly kind: "none" };

/** The first back edge whose condition holds and whose bound is not reached. */
export function findBackEdge(draft: Draft, index: number, result: AgentResult): BackEdge {
  const { rewindEdges } = draft.plan(index);
  if (rewindEdges.length === 0) return { kind: "none" };
  const { edgesTaken } = draft.stage(index);
  const scope = ownScope(draft.state, index, result);
  let why: string | undefined;
  for (const [edge, plan] of rewindEdges.entries()) {
    const verdict = evaluateCondition(plan.condition, scope);
    if (verdict.kind === "error") reportNotTaken(draft, index, plan.target, verdict.reason);
    if (verdict.kind !== "true") continue;
    const block = blockOf(draft, index, plan, edgesTaken[edge] ?? 0);
    if (block === undefined) return { kind: "taken", edge };
    why ??= block;
  }
  return why === undefined ? { kind: "none" } : { kind: "blocked", why };
}

function blockOf(
  draft: Draft,
  index: number,
  { target, maxTimes }: RewindEdgePlan,
  taken: number,
): string | undefined {
  const { id } = draft.plan(target);
  if (taken >= maxTimes)
    return `its edge back to "${id}" was taken ${maxTimes === 1 ? "once" : `${maxTimes} times`}, which is its bound`;
  if (target === index || draft.stage(target).status === "COMPLETED") return undefined;
  return `"${id}" has no result to send back`;
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
