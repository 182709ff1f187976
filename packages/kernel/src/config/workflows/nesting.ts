import { graphLimits } from "../../graph/limits.ts";
import { didYouMean } from "../../names.ts";
import type { WorkflowFile } from "./workflow-file.ts";

/** A problem of one file; `at` is a path in it. */
export interface FileProblem {
  readonly code: string;
  readonly at: string;
  readonly message: string;
  readonly fix: string;
}

type Workflows = ReadonlyMap<string, WorkflowFile>;

/** Checks the workflows within a workflow: that they exist, do not contain it, and are not nested too deep. */
export function checkNesting(
  file: WorkflowFile,
  workflows: Workflows,
  unread: readonly string[],
): readonly FileProblem[] {
  return file.nodes.flatMap(({ workflow }, position): readonly FileProblem[] => {
    if (workflow === undefined) return [];
    const at = `workflow.nodes[${position}].workflow`;
    const nested = workflows.get(workflow);
    if (!nested) return unread.includes(workflow) ? [] : [unknownWorkflow(at, workflow, workflows)];
    const cycle = findCall(nested, file.name, workflows);
    if (cycle) {
      const message = `the workflow calls itself: ${cycle.join(" → ")}`;
      return [{ code: "BATON-GRAPH-010", at, message, fix: "use an edge back within one workflow instead" }];
    }
    const depth = depthOf(nested, workflows);
    if (depth <= graphLimits.nested) return [];
    const message = `workflows are nested ${depth} deep, and ${graphLimits.nested} are allowed`;
    return [{ code: "BATON-GRAPH-002", at, message, fix: "put the nodes of some of them into one file" }];
  });
}

function unknownWorkflow(at: string, name: string, workflows: Workflows): FileProblem {
  const known = [...workflows.keys()].toSorted();
  const fix = `${didYouMean(name, known)}add a file for it to workflows/; there are: ${known.join(", ")}`;
  return { code: "BATON-GRAPH-003", at, message: `there is no workflow "${name}"`, fix };
}

/** The shortest way from a workflow to the one with this name, which begins and ends it; undefined without one. */
function findCall(from: WorkflowFile, name: string, workflows: Workflows): readonly string[] | undefined {
  const ways = new Map([[from.name, [name, from.name]]]);
  for (const [at, way] of ways) {
    if (at === name) return way;
    for (const next of callsOf(workflows.get(at), workflows))
      if (!ways.has(next.name)) ways.set(next.name, [...way, next.name]);
  }
  return undefined;
}

/** How deep workflows are nested, this one included. A cycle is reported where it begins, and counts once. */
function depthOf(file: WorkflowFile, workflows: Workflows, known = new Map<string, number>()): number {
  const before = known.get(file.name);
  if (before !== undefined) return before;
  known.set(file.name, 0);
  const inner = callsOf(file, workflows).map((nested) => depthOf(nested, workflows, known));
  const depth = 1 + inner.reduce((most, one) => Math.max(most, one), 0);
  known.set(file.name, depth);
  return depth;
}

/** The workflows in a workflow, each once. */
function callsOf(file: WorkflowFile | undefined, workflows: Workflows): readonly WorkflowFile[] {
  const names = new Set(file?.nodes.map(({ workflow }) => workflow));
  return [...names].flatMap((name) => workflows.get(name ?? "") ?? []);
}

/** The nodes of a workflow with those of the workflows in it, up to one more than a graph may have. */
export function countNodes(file: WorkflowFile, workflows: Workflows): number {
  const counted = new Map<string, number>();
  const count = ({ name, nodes }: WorkflowFile): number => {
    const known = counted.get(name);
    if (known !== undefined) return known;
    let sum = 0;
    for (const { workflow } of nodes) {
      const nested = workflow === undefined ? undefined : workflows.get(workflow);
      sum += nested ? count(nested) : 1;
      if (sum > graphLimits.nodes) break;
    }
    counted.set(name, sum);
    return sum;
  };
  return count(file);
}
