import type { AgentManifest } from "@baton/contract";
import type { JsonObject } from "@bufbuild/protobuf";
import { compileGraph } from "../../graph/graph.ts";
import { graphLimits } from "../../graph/limits.ts";
import type { WorkflowGraph, WorkflowNode } from "../../graph/workflow-graph.ts";
import { combineSchemas } from "../../json-schema/combine-schemas.ts";
import { acceptPlan } from "../../pipeline/plan/accept-plan.ts";
import type { PipelineTemplate } from "../templates.ts";
import { endsOf } from "./ends.ts";
import { inline } from "./inline.ts";
import { InlineFault } from "./inline-fault.ts";
import { checkNesting, countNodes, type FileProblem } from "./nesting.ts";
import { fromFlat, fromGraph, fromPlan } from "./problem-path.ts";
import type { FileNode, WorkflowFile } from "./workflow-file.ts";

interface Surroundings {
  /** The packs that files define. */
  readonly packs: readonly AgentManifest[];
  readonly templates: ReadonlyMap<string, PipelineTemplate>;
  /** Names of workflows whose files are invalid. */
  readonly unread: readonly string[];
  /** Ids of packs whose files are invalid. */
  readonly unreadPacks?: readonly string[];
}

export interface CompiledWorkflows {
  /** By name; those without problems. */
  readonly templates: ReadonlyMap<string, PipelineTemplate>;
  /** By the index of the file. */
  readonly problems: readonly { readonly file: number; readonly problem: FileProblem }[];
}

/** Checks workflows against each other and the packs, and compiles them to templates that runs are started from. */
export function compileWorkflows(files: readonly WorkflowFile[], around: Surroundings): CompiledWorkflows {
  const compiling = new Compiling(files, around);
  const templates = new Map<string, PipelineTemplate>();
  const problems = files.flatMap((file, index) =>
    compiling.check(file).map((problem) => ({ file: index, problem })),
  );
  const invalid = new Set(problems.map(({ file }) => files[file]?.name ?? ""));
  for (const [index, file] of files.entries()) {
    if (compiling.uses(file, new Set([...invalid, ...around.unread]))) continue;
    const compiled = compiling.compile(file);
    if (Array.isArray(compiled)) problems.push(...compiled.map((problem) => ({ file: index, problem })));
    else templates.set(file.name, compiled as PipelineTemplate);
  }
  return { templates, problems };
}

class Compiling {
  readonly #workflows: ReadonlyMap<string, WorkflowFile>;
  readonly #around: Surroundings;
  readonly #packs: ReadonlyMap<string, readonly AgentManifest[]>;

  constructor(files: readonly WorkflowFile[], around: Surroundings) {
    this.#workflows = new Map(files.toReversed().map((file) => [file.name, file]));
    this.#around = around;
    this.#packs = Map.groupBy(around.packs, ({ packId }) => packId);
  }

  /** The problems of one file by itself; a node that is a workflow counts as one node. */
  check(file: WorkflowFile): readonly FileProblem[] {
    const graph = this.#ownGraph(file);
    const compiled = compileGraph(graph);
    return [
      ...this.#checkName(file),
      ...checkStartAndEnds(file),
      ...file.nodes.flatMap((node, position) => this.#checkPack(node, position)),
      ...checkNesting(file, this.#workflows, this.#around.unread),
      ...(compiled.ok ? [] : compiled.problems.map((problem) => fromGraph(problem))),
    ];
  }

  /** Whether a workflow is one of these, or contains one. */
  uses(file: WorkflowFile, names: ReadonlySet<string>): boolean {
    const seen = new Set<string>();
    const left = [file];
    for (let next = left.pop(); next; next = left.pop()) {
      if (names.has(next.name)) return true;
      if (seen.has(next.name)) continue;
      seen.add(next.name);
      for (const { workflow } of next.nodes) {
        if (workflow !== undefined && names.has(workflow)) return true;
        const nested = workflow === undefined ? undefined : this.#workflows.get(workflow);
        if (nested) left.push(nested);
      }
    }
    return false;
  }

  compile(file: WorkflowFile): PipelineTemplate | readonly FileProblem[] {
    const count = countNodes(file, this.#workflows);
    if (count > graphLimits.nodes) {
      const message = `with the workflows in it, it has more than the ${graphLimits.nodes} nodes that are allowed`;
      const fix = "start some of them as runs of their own";
      return [{ code: "BATON-GRAPH-002", at: "workflow.nodes", message, fix }];
    }
    try {
      const nodeOf = (node: FileNode) => this.#agentNode(node);
      const { nodes, edges, ends, starts } = inline(file, { workflows: this.#workflows, nodeOf });
      const compiled = compileGraph({ nodes, edges, ...(file.start !== undefined && { entry: starts }) });
      if (!compiled.ok) return compiled.problems.map((problem) => fromFlat(problem, file, nodes));
      const { stages } = compiled;
      const accepted = acceptPlan(stages, file.policy);
      if (!accepted.ok) return accepted.problems.map((problem) => fromPlan(problem, file, stages));
      const { name: templateId, title: name, description, policy } = file;
      return {
        ...{ templateId, name, description, stages, policy },
        plan: accepted.plan,
        workflow: { ends },
      };
    } catch (error) {
      if (!(error instanceof InlineFault)) throw error;
      const { at, message, fix } = error;
      return [{ code: "BATON-GRAPH-015", at: `workflow.${at}`, message, fix }];
    }
  }

  #ownGraph(file: WorkflowFile): WorkflowGraph {
    const edges = file.edges.map(({ from, to, kind, condition, maxTimes }) => ({
      ...{ from, to, kind },
      ...(condition !== undefined && { condition }),
      ...(maxTimes !== undefined && { maxTimes }),
    }));
    const nodes = file.nodes.map((node): WorkflowNode => {
      const { id, inputs, join, workflow } = node;
      const own = workflow === undefined ? this.#agentNode(node) : { id, taskType: "workflow" };
      const dataSchema = workflow === undefined ? own.dataSchema : this.#answerSchema(workflow, [file.name]);
      return { ...own, dataSchema, ...(inputs && { inputs }), ...(join !== undefined && { join }) };
    });
    // An unknown start is reported as such.
    const { start } = file;
    const isKnown = start !== undefined && file.nodes.some(({ id }) => id === start);
    return { nodes, edges, ...(isKnown && { entry: [start] }) };
  }

  #agentNode(node: FileNode): WorkflowNode {
    const { id, name, join, config } = node;
    const dataSchema = this.#schemaOf(node);
    return {
      ...{ id, taskType: this.taskType(node) ?? "unknown", config },
      ...(name !== undefined && { name }),
      ...(join !== undefined && { join }),
      ...(dataSchema && { dataSchema }),
    };
  }

  taskType(node: FileNode): string | undefined {
    return taskTypeOf(node, this.#packs.get(node.pack ?? "") ?? []);
  }

  /** The schema of the node and that of its pack hold both. Versions of a pack may differ; then none of them is assumed. */
  #schemaOf({ pack, config: { outputSchema } }: FileNode): JsonObject | undefined {
    const versions = this.#packs.get(pack ?? "") ?? [];
    const schemas = versions.map(({ dataSchema }) => dataSchema);
    const isSame = schemas.every((schema) => JSON.stringify(schema) === JSON.stringify(schemas[0]));
    return combineSchemas(outputSchema, isSame ? schemas[0] : undefined);
  }

  /** The schema of the data of a workflow that ends at one node. */
  #answerSchema(name: string, seen: readonly string[]): JsonObject | undefined {
    const file =
      seen.includes(name) || seen.length > graphLimits.nested ? undefined : this.#workflows.get(name);
    const [end, another] = file ? endsOf(file) : [];
    const node = another === undefined ? file?.nodes.find(({ id }) => id === end) : undefined;
    if (!node) return undefined;
    return node.workflow === undefined
      ? this.#schemaOf(node)
      : this.#answerSchema(node.workflow, [...seen, name]);
  }

  #checkName(file: WorkflowFile): readonly FileProblem[] {
    const at = "workflow.name";
    const fix = "rename one of them";
    if (this.#workflows.get(file.name) !== file)
      return [
        { code: "BATON-CONFIG-002", at, message: `"${file.name}" is the name of another workflow`, fix },
      ];
    if (!this.#around.templates.has(file.name)) return [];
    return [{ code: "BATON-CONFIG-002", at, message: `"${file.name}" is the id of a template`, fix }];
  }

  #checkPack(node: FileNode, position: number): readonly FileProblem[] {
    if (node.workflow !== undefined || this.taskType(node) !== undefined) return [];
    if (this.#around.unreadPacks?.includes(node.pack ?? "")) return [];
    const message = `no file defines pack "${node.pack}", so its task type is unknown`;
    const fix = `add task_type, or packs/${node.pack}/profession-pack.yaml`;
    return [{ code: "BATON-CONFIG-002", at: `workflow.nodes[${position}].pack`, message, fix }];
  }
}

/** The stated type of a node, or the first one of its pack. */
export function taskTypeOf({ taskType }: FileNode, versions: readonly AgentManifest[]): string | undefined {
  return taskType ?? versions[0]?.supportedTaskTypes[0];
}

function checkStartAndEnds({ start, ends = [], nodes, edges }: WorkflowFile): readonly FileProblem[] {
  const ids = new Set(nodes.map(({ id }) => id));
  const unknown = (at: string, id: string): readonly FileProblem[] => {
    const fix = `use one of: ${[...ids].join(", ")}`;
    return ids.has(id) ? [] : [{ code: "BATON-GRAPH-003", at, message: `there is no node "${id}"`, fix }];
  };
  const leading = edges.findIndex(({ to, kind }) => to === start && kind !== "back");
  const message = `"${start}" is the start, and this edge leads to it`;
  const fix = "give the edge kind: back and max_times, or name another start";
  return [
    ...(start === undefined ? [] : unknown("workflow.start", start)),
    ...(start === undefined || leading < 0
      ? []
      : [{ code: "BATON-GRAPH-012", at: `workflow.edges[${leading}].to`, message, fix }]),
    ...ends.flatMap((id, position) => unknown(`workflow.ends[${position}]`, id)),
  ];
}
