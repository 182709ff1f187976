import type { JsonObject } from "@bufbuild/protobuf";
import { compileCondition } from "../../graph/cel/condition.ts";
import { catchesFailure, type ForwardKind } from "../../graph/edge-semantics.ts";
import {
  memberOfMapping,
  RewriteFault,
  rewriteMapping,
  templateOf,
} from "../../graph/mapping/rewrite-template.ts";
import type { WorkflowEdge, WorkflowNode } from "../../graph/workflow-graph.ts";
import { InlineFault } from "./inline-fault.ts";
import { renameCondition } from "./rename.ts";
import type { FileNode } from "./workflow-file.ts";

/** A graph in which nodes that are workflows are replaced by the nodes of these. */
export interface FlatGraph {
  readonly nodes: readonly WorkflowNode[];
  readonly edges: readonly WorkflowEdge[];
  readonly starts: readonly string[];
  readonly ends: readonly string[];
}

/**
 * Gives the nodes of a graph the ids of the level above, and what its node there says: inputs and join. `outerIds` are the
 * ids that those inputs refer to.
 */
export function nest(
  { nodes, edges, starts, ends }: FlatGraph,
  { id: outer, inputs: outerInputs, join }: FileNode,
  outerIds: ReadonlySet<string>,
  at: string,
): FlatGraph {
  const ids = new Set(nodes.map(({ id }) => id));
  const isStart = new Set(starts);
  const rename = (id: string) => `${outer}.${id}`;
  return {
    nodes: nodes.map(({ id, inputs: own, ...node }) => {
      const inputs = nestInputs(own, { ids, rename, outerInputs, outerIds, at });
      return {
        ...{ ...node, id: rename(id) },
        ...(isStart.has(id) && join !== undefined && { join }),
        ...(inputs && { inputs }),
      };
    }),
    edges: edges.map(({ from, to, condition, ...edge }) => ({
      ...{ ...edge, from: rename(from), to: rename(to) },
      ...(condition !== undefined && { condition: renameCondition(condition, ids, rename) }),
    })),
    starts: starts.map(rename),
    ends: ends.map(rename),
  };
}

interface Nesting {
  readonly ids: ReadonlySet<string>;
  readonly rename: (id: string) => string;
  readonly outerInputs: JsonObject | undefined;
  readonly outerIds: ReadonlySet<string>;
  readonly at: string;
}

/** `{{input.x}}` of a nested workflow is the input x of its node, or of the task if the node has none. */
function nestInputs(
  own: JsonObject | undefined,
  { ids, rename, outerInputs, outerIds, at }: Nesting,
): JsonObject | undefined {
  if (own === undefined) return outerInputs;
  try {
    return rewriteMapping(own, ids, ({ node, field, path, text }) => {
      if (node !== undefined) return templateOf(rename(node), field === undefined ? path : [field, ...path]);
      if (outerInputs === undefined) return templateOf(undefined, path);
      const value = memberOfMapping(outerInputs, path, outerIds);
      if (value !== undefined) return value;
      const message = `its workflow reads {{${text}}}, which is not among these inputs`;
      throw new InlineFault(at, message, "add it, or leave the inputs out to pass on those of the task");
    }) as JsonObject;
  } catch (error) {
    if (!(error instanceof RewriteFault)) throw error;
    const message = `its workflow puts ${error.message}`;
    throw new InlineFault(at, message, "give it a text, a number or a template");
  }
}

/** The nodes of a nested graph whose failure an edge that leaves it handles: those without such an edge of their own. */
export function uncaughtIn(
  { nodes, edges }: FlatGraph,
  kind: ForwardKind,
  condition: string | undefined,
  outerIds: ReadonlySet<string>,
): readonly string[] {
  if (!catches(kind, condition, outerIds)) return [];
  const ids = new Set(nodes.map(({ id }) => id));
  const caught = new Set(
    edges.flatMap((edge) => {
      const { from, kind: own = "default" } = edge;
      return own !== "back" && catches(own, edge.condition, ids) ? [from] : [];
    }),
  );
  return nodes.flatMap(({ id }) => (caught.has(id) ? [] : [id]));
}

function catches(kind: ForwardKind, source: string | undefined, nodes: ReadonlySet<string>): boolean {
  const compiled = source === undefined ? undefined : compileCondition(source, { nodes });
  return catchesFailure({ kind, condition: compiled?.ok ? compiled.condition : undefined });
}
