import { type EdgeDecision, EdgeKind, type Stage } from "@baton/contract/messages";
import { describeValues } from "@baton/kernel/deciding";
import { backDepth } from "./edge-paths.ts";
import type { Node } from "./layout.ts";

/** An edge of a graph, and the last decision about it. */
export interface EdgeFact {
  readonly from: string;
  readonly to: string;
  readonly kind: EdgeKind;
  readonly condition: string;
  readonly decision: EdgeDecision | undefined;
  /** Of an edge back. */
  readonly maxTimes: number;
}

/** The edges of a run or a template. Dependencies of a template are edges without a condition of their own. */
export function edgeFacts(stages: readonly Stage[]): readonly EdgeFact[] {
  return stages.flatMap(({ stageId: to, config, edges: decisions }): EdgeFact[] => {
    const incoming = decisions.filter(({ kind }) => kind !== EdgeKind.BACK);
    const stated =
      config && config.edges.length > 0
        ? config.edges.map(({ fromStageId: from, kind, condition }) => ({ from, kind, condition }))
        : (config?.dependsOnStages ?? []).map((from) => ({
            ...{ from, kind: EdgeKind.DEFAULT, condition: config?.condition ?? "" },
          }));
    // Decisions are in the order of the edges.
    const forward = stated.map(({ from, kind, condition }, at) => ({
      ...{ from, to, kind: kind || EdgeKind.DEFAULT, condition, decision: incoming[at], maxTimes: 0 },
    }));
    const back = (config?.rewindEdges ?? []).map(({ targetStageId, condition, maxTimes }) => ({
      ...{ from: to, to: targetStageId, kind: EdgeKind.BACK, condition, maxTimes },
      decision: decisions.findLast(
        (one) => one.kind === EdgeKind.BACK && one.toStageId === targetStageId && one.condition === condition,
      ),
    }));
    return [...forward, ...back];
  });
}

/** A label has little room, and most of what edges read is the data of the answer. */
function shorten(text: string): string {
  return text.replaceAll(/\bresponse\.(?:data\.)?/g, "");
}

/** The condition that an edge back without one has. */
const onRequest = 'response.status == "retry_with_instruction"';

/** What an edge says of itself: when it is taken. Empty for one that is always taken after success. */
export function titleOf({ kind, condition: whole }: EdgeFact): string {
  const condition = whole === onRequest ? whole : shorten(whole);
  if (kind === EdgeKind.BACK) return condition === onRequest ? "on request" : condition;
  if (kind === EdgeKind.ERROR) return condition === "" ? "on failure" : `on failure: ${condition}`;
  return condition;
}

/** What was decided about it, with the values it read. */
export function outcomeOf({ kind, decision, maxTimes }: EdgeFact): string {
  if (kind === EdgeKind.BACK) return `${decision?.timesTaken ?? 0} of ${maxTimes} times`;
  if (!decision) return "";
  const values = describeValues(decision).map(shorten);
  if (values.length > 0) return values.join(", ");
  return decision.taken ? "taken" : decision.reason;
}

/** Whether it was decided, and how. */
export function stateOf({ kind, decision }: EdgeFact): "open" | "taken" | "missed" {
  if (!decision) return "open";
  if (kind === EdgeKind.BACK) return decision.timesTaken > 0 ? "taken" : "missed";
  return decision.taken ? "taken" : "missed";
}

/** Edges with a label need room between the layers. */
export function hasLabel(fact: EdgeFact): boolean {
  return fact.kind === EdgeKind.BACK || titleOf(fact) !== "";
}

/** The nodes of a graph for its layout. */
export function nodesOf(stages: readonly Stage[], facts: readonly EdgeFact[]): readonly Node[] {
  const labelled = new Set(facts.flatMap((fact) => (titleOf(fact) !== "" ? [fact.to] : [])));
  return stages.map(({ stageId: id, config }) => ({
    ...{ id, dependsOn: config?.dependsOnStages ?? [] },
    ...(labelled.has(id) && { isLabelled: true }),
  }));
}

/** Below the nodes, for edges back and their labels. */
export function roomBelow(facts: readonly EdgeFact[]): number {
  return facts.some(({ kind }) => kind === EdgeKind.BACK) ? backDepth + 16 : 0;
}
