import {
  EdgeJoin,
  EdgeKind,
  type RewindEdge,
  RewindEdgeSchema,
  type Stage,
  StageConfigSchema,
  StageSchema,
  StageStatus,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { type CompiledEdge, checkReads, compileEdges } from "./compile-edge.ts";
import { catchesFailure, type ForwardKind } from "./edge-semantics.ts";
import { type GraphShape, shapeOf } from "./graph-shape.ts";
import { graphLimits } from "./limits.ts";
import { compileMapping } from "./mapping/mapping.ts";
import { type GraphProblem, listNames, problem } from "./problem.ts";
import type { WorkflowGraph, WorkflowNode } from "./workflow-graph.ts";

export type CompiledGraph =
  | {
      readonly ok: true;
      /** In topological order, ready to be a pipeline's. */
      readonly stages: readonly Stage[];
      readonly order: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly GraphProblem[] };

/**
 * Compiles a workflow graph to a pipeline whose stages carry conditions and input mappings; a back edge is a bounded
 * rewind.
 *
 * A stage waits until every node with an edge to it has ended, and runs when one of those edges is taken (or all, by the
 * node's `join`). Otherwise it is skipped, and so are its exclusive successors.
 */
export function compileGraph(graph: WorkflowGraph): CompiledGraph {
  const shaped = shapeOf(graph);
  if (!shaped.ok) return shaped;
  const compiler = new Compiler(graph, shaped.shape);
  const stages = shaped.shape.order.map((node, position) => compiler.stage(node, position));
  if (compiler.problems.length > 0) return { ok: false, problems: compiler.problems };
  return { ok: true, stages, order: stages.map(({ stageId }) => stageId) };
}

class Compiler {
  readonly problems: GraphProblem[] = [];
  readonly #shape: GraphShape;
  readonly #incoming: ReadonlyMap<string, readonly CompiledEdge[]>;
  readonly #outgoing: ReadonlyMap<string, readonly CompiledEdge[]>;
  readonly #back: ReadonlyMap<string, readonly CompiledEdge[]>;

  constructor({ edges }: WorkflowGraph, shape: GraphShape) {
    this.#shape = shape;
    const compiled = compileEdges(edges, shape, this.problems);
    const forward = compiled.filter(({ edge }) => edge.kind !== "back");
    this.#incoming = Map.groupBy(forward, ({ edge }) => edge.to);
    this.#outgoing = Map.groupBy(forward, ({ edge }) => edge.from);
    this.#back = Map.groupBy(
      compiled.filter(({ edge }) => edge.kind === "back"),
      ({ edge }) => edge.from,
    );
  }

  stage(node: WorkflowNode, stageOrder: number): Stage {
    const { id, name = id, taskType, config, inputs } = node;
    const at = `nodes[${this.#shape.indexes.get(id)}]`;
    const incoming = this.#incoming.get(id) ?? [];
    const errorStageId = this.#errorStage(id, at);
    this.#checkInputs(node, at);
    return create(StageSchema, {
      stageId: id,
      stageOrder,
      stageName: name,
      taskType,
      status: StageStatus.PENDING,
      config: create(StageConfigSchema, {
        ...config,
        // A pipeline completes without its optional stages. A stage behind a conditional edge, or whose failure another
        // one handles, is optional by default.
        required: config?.required ?? (incoming.length === 0 && errorStageId === ""),
        dependsOnStages: [...new Set(incoming.map(({ edge }) => edge.from))],
        edges: incoming.map(({ edge: { from, kind, condition = "" } }) => ({
          ...{ fromStageId: from, kind: edgeKinds[kind as ForwardKind] ?? EdgeKind.DEFAULT, condition },
        })),
        ...(node.join !== undefined && { join: node.join === "all" ? EdgeJoin.ALL : EdgeJoin.ANY }),
        ...(inputs && { inputMapping: inputs }),
        errorStageId,
        rewindEdges: this.#rewindEdges(id, at),
      }),
    });
  }

  #checkInputs({ id, inputs = {} }: WorkflowNode, at: string): void {
    const { ids, before, schemas } = this.#shape;
    const compiled = compileMapping(inputs, { nodes: ids, schemas });
    if (compiled.ok) {
      this.problems.push(...checkReads(compiled.mapping.nodes, id, before, `${at}.inputs`));
      return;
    }
    for (const { field, ...rest } of compiled.problems) {
      this.problems.push({ ...rest, at: field === "" ? `${at}.inputs` : `${at}.inputs.${field}` });
    }
  }

  /** SACP §2.2: failure goes to one node, or stops. */
  #errorStage(id: string, at: string): string {
    const catching = (this.#outgoing.get(id) ?? []).filter(({ edge: { kind = "default" }, condition }) =>
      catchesFailure({ kind: kind as ForwardKind, condition }),
    );
    const targets = [...new Set(catching.map(({ edge }) => edge.to))];
    if (targets.length > 1) {
      const message = `${listNames(targets)} all want to take over when ${listNames([id])} fails`;
      const fix = "lead the failure to one of them, and let its edges decide what is next";
      this.problems.push(problem("BATON-GRAPH-013", at, message, fix));
    }
    return targets[0] ?? "";
  }

  #rewindEdges(id: string, at: string): RewindEdge[] {
    const back = this.#back.get(id) ?? [];
    if (back.length > graphLimits.backEdges) {
      const message = `${back.length} edges back are more than the ${graphLimits.backEdges} that are allowed`;
      this.problems.push(problem("BATON-GRAPH-002", at, message, "join their conditions with ||"));
    }
    return back.map(({ edge: { condition = talksBack, to, maxTimes = 1 } }) =>
      create(RewindEdgeSchema, { condition, targetStageId: to, maxTimes }),
    );
  }
}

const edgeKinds: Readonly<Record<ForwardKind, EdgeKind>> = {
  default: EdgeKind.DEFAULT,
  error: EdgeKind.ERROR,
};

/** SACP §11: the node itself requests that an earlier one tries again. */
const talksBack = 'response.status == "retry_with_instruction"';
