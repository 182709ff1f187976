import { basename, dirname, join } from "node:path";
import { type Template, TemplateSchema } from "@baton/contract";
import { compileWorkflows, readProfessionPack, readWorkflow, type WorkflowFile } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import type { ConfigProblem } from "../files/problem.ts";
import { parseYaml, readYamlFile, type YamlFile } from "../files/yaml-file.ts";
import { defaultPaths } from "./paths.ts";
import { withPosition } from "./read-project.ts";
import { takeSnapshot } from "./snapshot.ts";

interface WorkflowReading {
  readonly template?: Template;
  readonly problems: readonly ConfigProblem[];
}

/** Compiles the workflow of a file. The other files only have to be readable as far as it needs them. */
export function readWorkflowFile(path: string): WorkflowReading {
  const yaml = readYamlFile(path);
  if (!yaml.ok) return { problems: yaml.problems };
  const { value, positionOf } = yaml.file;
  const reading = readWorkflow(value);
  if (!reading.ok) return { problems: at(reading.problems, positionOf) };
  const { workflows, packs } = surroundings(path);
  const { templates, problems } = compileWorkflows([reading.workflow, ...workflows], {
    ...{ packs, templates: new Map(), unread: [] },
  });
  const own = problems.filter(({ file }) => file === 0).map(({ problem }) => problem);
  const found = templates.get(reading.workflow.name);
  if (!found)
    return { problems: at(own.length > 0 ? own : problems.map(({ problem }) => problem), positionOf) };
  const { templateId, name, description, stages, policy, workflow } = found;
  const endStages = [...(workflow?.ends ?? [])];
  const template = create(TemplateSchema, {
    ...{ templateId, name, description, stages: [...stages], policy, workflow: true, endStages },
  });
  return { template, problems: [] };
}

function at(
  problems: readonly ConfigProblem[],
  positionOf: YamlFile["positionOf"],
): readonly ConfigProblem[] {
  return problems.map((problem) => withPosition(problem, positionOf));
}

/** The other workflows of the folder, and the packs beside it. */
function surroundings(path: string) {
  const folder = dirname(path);
  const paths = { ...defaultPaths(dirname(folder)), workflows: { path: folder, isNamed: true } };
  const workflows: WorkflowFile[] = [];
  const packs = [];
  for (const { kind, path: other, reading } of takeSnapshot(paths).files) {
    const yaml = reading.ok ? parseYaml(other, reading.text) : undefined;
    if (!yaml?.ok || other === join(folder, basename(path))) continue;
    if (kind === "workflow") {
      const one = readWorkflow(yaml.file.value);
      if (one.ok) workflows.push(one.workflow);
    } else if (kind === "profession-pack") {
      const one = readProfessionPack(yaml.file.value);
      if (one.ok) packs.push(one.pack.manifest);
    }
  }
  return { workflows, packs };
}
