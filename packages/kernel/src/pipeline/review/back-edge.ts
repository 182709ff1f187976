import { type AgentResult, type EdgeDecision, EdgeKind } from "@baton/contract";
import { brief } from "../../brief.ts";
import { evaluateCondition, type Truth } from "../../graph/cel/condition.ts";
import { readValues } from "../../graph/cel/read-values.ts";
import { timestampOf } from "../../times.ts";
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

/** The first back edge whose condition holds and whose bound is not reached. Records what was decided and read. */
export function findBackEdge(
  draft: Draft,
  index: number,
  result: AgentResult,
  instruction: string,
): BackEdge {
  const { rewindEdges } = draft.plan(index);
  if (rewindEdges.length === 0) return { kind: "none" };
  const { edgesTaken } = draft.stage(index);
  const scope = ownScope(draft.state, index, result);
  let taken = -1;
  let why: string | undefined;
  const decisions: EdgeDecision[] = [];
  for (const [edge, plan] of rewindEdges.entries()) {
    const before = edgesTaken[edge] ?? 0;
    const verdict = evaluateCondition(plan.condition, scope);
    const block = verdict.kind === "true" ? blockOf(draft, index, plan, before) : undefined;
    const isTaken = verdict.kind === "true" && block === undefined;
    const reason = isTaken ? instruction : (block ?? reasonOf(verdict));
    const decision = decisionOf(draft, index, plan, before + (isTaken ? 1 : 0));
    const values = readValues(plan.condition.reads, scope);
    decisions.push({ ...decision, taken: isTaken, reason: brief(reason), values });
    if (verdict.kind === "error") reportNotTaken(draft, index, plan.target, verdict.reason);
    why ??= block;
    if (isTaken) {
      taken = edge;
      break;
    }
  }
  draft.record({ type: "edges-decided", stage: index, edges: decisions, atMs: draft.nowMs });
  if (taken >= 0) return { kind: "taken", edge: taken };
  return why === undefined ? { kind: "none" } : { kind: "blocked", why };
}

function decisionOf(
  draft: Draft,
  index: number,
  { target, condition, maxTimes }: RewindEdgePlan,
  timesTaken: number,
): EdgeDecision {
  return {
    $typeName: "vasini.agent.v1.EdgeDecision",
    ...{ fromStageId: draft.plan(index).id, toStageId: draft.plan(target).id, kind: EdgeKind.BACK },
    ...{ condition: condition.source, at: timestampOf(draft.nowMs), timesTaken, maxTimes },
    ...{ taken: false, reason: "" },
  };
}

function reasonOf(verdict: Truth): string {
  return verdict.kind === "error"
    ? `its condition cannot be evaluated: ${verdict.reason}`
    : "its condition is false";
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
