import type { JsonObject } from "@bufbuild/protobuf";
import type { WorkflowEdge, WorkflowNode } from "../../graph/workflow-graph.ts";
import { endsOf, startsOf } from "./ends.ts";
import { InlineFault } from "./inline-fault.ts";
import { type FlatGraph, nest, uncaughtIn } from "./nest.ts";
import { renameCondition, renameInputs } from "./rename.ts";
import type { FileEdge, FileNode, WorkflowFile } from "./workflow-file.ts";

export interface InlineContext {
  readonly workflows: ReadonlyMap<string, WorkflowFile>;
  /** The node of an agent, without its inputs. */
  readonly nodeOf: (node: FileNode) => WorkflowNode;
}

/**
 * Replaces each node that is a workflow by its nodes, with ids such as `outer.inner`: edges to it lead to its start, edges
 * from it leave its ends, and its error edge is that of every inner node that has none of its own. The caller has checked
 * every workflow by itself, and that none contains itself. Throws an `InlineFault`.
 */
export function inline(file: WorkflowFile, context: InlineContext): FlatGraph {
  return new Inlining(file, context).graph();
}

class Inlining {
  readonly #file: WorkflowFile;
  readonly #context: InlineContext;
  /** The graphs of nodes that are workflows, with ids of their own level. */
  readonly #inner = new Map<string, FlatGraph>();
  readonly #ids: ReadonlySet<string>;

  constructor(file: WorkflowFile, context: InlineContext) {
    this.#file = file;
    this.#context = context;
    this.#ids = new Set(file.nodes.map(({ id }) => id));
    for (const { id, workflow } of file.nodes) {
      const nested = workflow === undefined ? undefined : context.workflows.get(workflow);
      if (nested) this.#inner.set(id, inline(nested, context));
    }
  }

  graph(): FlatGraph {
    const nested = new Map<string, FlatGraph>();
    const own: WorkflowNode[] = [];
    for (const [position, node] of this.#file.nodes.entries()) {
      const at = `nodes[${position}]`;
      const inputs = node.inputs && this.#inputs(node.inputs, `${at}.inputs`);
      const inner = this.#inner.get(node.id);
      if (inner) nested.set(node.id, nest(inner, { ...node, inputs }, this.#flatIds(), `${at}.inputs`));
      else own.push({ ...this.#context.nodeOf(node), ...(inputs && { inputs }) });
    }
    return {
      nodes: [...own, ...[...nested.values()].flatMap(({ nodes }) => nodes)],
      edges: [
        ...[...nested.values()].flatMap(({ edges }) => edges),
        ...this.#file.edges.flatMap((edge, position) => this.#edges(edge, `edges[${position}]`)),
      ],
      starts: startsOf(this.#file).flatMap((id) => this.#inside(id, "starts")),
      ends: endsOf(this.#file).flatMap((id) => this.#inside(id, "ends")),
    };
  }

  /** The nodes where a node of this level starts or ends. */
  #inside(id: string, which: "starts" | "ends"): readonly string[] {
    const inner = this.#inner.get(id);
    return inner ? inner[which].map((one) => `${id}.${one}`) : [id];
  }

  /** The node whose answer is that of a node of this level. */
  #answerOf(id: string, at: string): string {
    const [end, another] = this.#inside(id, "ends");
    if (end !== undefined && another === undefined) return end;
    const message = `the workflow at "${id}" has several ends, so it has no single answer`;
    throw new InlineFault(at, message, "let its file name one node in ends, or read the edge's response");
  }

  #flatIds(): ReadonlySet<string> {
    const inner = [...this.#inner].flatMap(([id, { nodes }]) => nodes.map((node) => `${id}.${node.id}`));
    return new Set([...this.#ids, ...inner]);
  }

  #inputs(inputs: JsonObject, at: string): JsonObject {
    if (this.#inner.size === 0) return inputs;
    return renameInputs(inputs, this.#ids, (id) => this.#answerOf(id, at)) as JsonObject;
  }

  #edges({ from, to, kind, condition: given, maxTimes }: FileEdge, at: string): readonly WorkflowEdge[] {
    const condition =
      given === undefined || this.#inner.size === 0
        ? given
        : renameCondition(given, this.#ids, (id) =>
            this.#inner.has(id) ? this.#answerOf(id, `${at}.condition`) : undefined,
          );
    const targets = this.#inside(to, "starts");
    if (kind === "back" && targets.length > 1) {
      const message = `the workflow at "${to}" has several starts, so no edge can go back to it`;
      throw new InlineFault(`${at}.to`, message, "let its file name one node in start");
    }
    const sources = this.#sources(from, kind, given);
    this.#checkJoin(from, to, sources.length, at);
    return sources.flatMap((source) =>
      targets.map((target) => ({
        ...{ from: source.id, to: target, kind: source.kind },
        ...(condition !== undefined && { condition }),
        ...(maxTimes !== undefined && { maxTimes }),
      })),
    );
  }

  #sources(id: string, kind: FileEdge["kind"], given: string | undefined) {
    const inner = this.#inner.get(id);
    if (!inner) return [{ id, kind }];
    const ends = kind === "error" ? [] : inner.ends.map((end) => ({ id: `${id}.${end}`, kind }));
    const failing = kind === "back" ? [] : uncaughtIn(inner, kind, given, this.#ids);
    const isEnd = new Set(ends.map((end) => end.id));
    const others = failing.map((node) => `${id}.${node}`).filter((node) => !isEnd.has(node));
    return [...ends, ...others.map((node) => ({ id: node, kind: "error" as const }))];
  }

  #checkJoin(from: string, to: string, sources: number, at: string): void {
    if (sources < 2 || !this.#inner.has(from)) return;
    const target = this.#file.nodes.find(({ id }) => id === to);
    if (target?.join !== "all") return;
    const message = `"${to}" joins all edges, and those from the nodes of the workflow at "${from}" exclude each other`;
    throw new InlineFault(at, message, `use join: any at "${to}"`);
  }
}
