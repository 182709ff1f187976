import type { WorkflowFile } from "./workflow-file.ts";

/** The nodes that run first. */
export function startsOf({ start, nodes, edges }: WorkflowFile): readonly string[] {
  if (start !== undefined) return [start];
  const reached = new Set(edges.flatMap(({ to, kind }) => (kind === "back" ? [] : [to])));
  return nodes.flatMap(({ id }) => (reached.has(id) ? [] : [id]));
}

/** The nodes whose answers are the result. A node that only its failure leaves is one of them. */
export function endsOf({ ends, nodes, edges }: WorkflowFile): readonly string[] {
  if (ends !== undefined) return ends;
  const left = new Set(edges.flatMap(({ from, kind }) => (kind === "default" ? [from] : [])));
  return nodes.flatMap(({ id }) => (left.has(id) ? [] : [id]));
}
