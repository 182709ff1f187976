import { type EdgeDecision, EdgeKind } from "@baton/contract";
import type { JsonObject } from "@bufbuild/protobuf";
import { brief } from "../../brief.ts";
import { evaluateCondition, type Truth } from "../../graph/cel/condition.ts";
import { readValues } from "../../graph/cel/read-values.ts";
import { decideEdge } from "../../graph/edge-semantics.ts";
import { timestampOf } from "../../times.ts";
import type { Draft } from "../decision/draft.ts";
import type { EdgePlan } from "../plan/plan-stage.ts";
import { edgeScope, graphScope } from "../state/graph-scope.ts";

/** Whether a stage whose dependencies are at rest runs, or why it does not. */
export type Entry =
  | { readonly kind: "run" }
  | { readonly kind: "leave-out"; readonly reason: string }
  | { readonly kind: "error"; readonly reason: string };

/** Decides the edges or the condition of a stage, and records what was taken and read (SACP §4.1). */
export function decideEntry(draft: Draft, index: number): Entry {
  const { edges, condition } = draft.plan(index);
  if (edges.length > 0) return decideEdges(draft, index, edges);
  if (!condition) return { kind: "run" };
  const scope = graphScope(draft.state, index);
  const truth = evaluateCondition(condition, scope);
  const entry = entryOf(truth);
  const reason = entry.kind === "run" ? "" : entry.reason;
  const { dependsOn } = draft.plan(index);
  const values = readValues(condition.reads, scope);
  const { source } = condition;
  record(
    draft,
    index,
    dependsOn.map((from) => ({ from, kind: EdgeKind.DEFAULT, source, values, reason })),
  );
  return entry;
}

function entryOf(truth: Truth): Entry {
  if (truth.kind === "true") return { kind: "run" };
  if (truth.kind === "false") return { kind: "leave-out", reason: "its condition is false" };
  return { kind: "error", reason: `its condition cannot be evaluated: ${truth.reason}` };
}

function decideEdges(draft: Draft, index: number, edges: readonly EdgePlan[]): Entry {
  const scopeOf = edgeScope(draft.state);
  const decided = edges.map((edge) => {
    const { id } = draft.plan(edge.from);
    const scope = scopeOf(id);
    const verdict = decideEdge(edge, id, scope);
    const values = edge.condition ? readValues(edge.condition.reads, scope) : undefined;
    return { edge, id, verdict, values };
  });
  record(
    draft,
    index,
    decided.map(({ edge: { from, kind, condition }, verdict, values }) => ({
      ...{ from, kind: kind === "error" ? EdgeKind.ERROR : EdgeKind.DEFAULT },
      ...{ source: condition?.source ?? "", values },
      reason: verdict.kind === "taken" ? "" : verdict.reason,
    })),
  );
  const missed = decided.filter(({ verdict }) => verdict.kind !== "taken");
  const isAll = draft.plan(index).join === "all";
  if (isAll ? missed.length === 0 : missed.length < decided.length) return { kind: "run" };
  const reasons = missed.map(({ id, verdict }) => {
    const reason = verdict.kind === "taken" ? "" : verdict.reason;
    return { kind: verdict.kind, text: `the edge from "${id}" is not taken: ${reason}` };
  });
  // As with `||` and `&&`: an error counts when no other edge decides.
  const error = reasons.find(({ kind }) => kind === "error");
  const plain = reasons.find(({ kind }) => kind === "not-taken");
  const decisive = isAll ? (plain ?? error) : (error ?? plain);
  const more = reasons.length > 1 && !isAll ? ` (and ${reasons.length - 1} more)` : "";
  const reason = `${decisive?.text ?? ""}${more}`;
  return { kind: decisive?.kind === "error" ? "error" : "leave-out", reason };
}

interface Decided {
  readonly from: number;
  readonly kind: EdgeKind;
  readonly source: string;
  readonly values: JsonObject | undefined;
  /** Empty when it is taken. */
  readonly reason: string;
}

function record(draft: Draft, stage: number, decided: readonly Decided[]): void {
  if (decided.length === 0) return;
  const at = timestampOf(draft.nowMs);
  const to = draft.plan(stage).id;
  const edges = decided.map(({ from, kind, source: condition, values, reason }): EdgeDecision => {
    const decision: EdgeDecision = {
      $typeName: "vasini.agent.v1.EdgeDecision",
      ...{ fromStageId: draft.plan(from).id, toStageId: to, kind, condition, at },
      ...{ taken: reason === "", reason: brief(reason), timesTaken: 0, maxTimes: 0 },
    };
    return values ? { ...decision, values } : decision;
  });
  draft.record({ type: "edges-decided", stage, edges, atMs: draft.nowMs });
}
