import {
  type PipelinePolicy,
  PipelinePolicySchema,
  type Stage,
  StageConfigSchema,
  StageSchema,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { planPipeline } from "../pipeline/plan.ts";
import type { Problem } from "../problem.ts";
import { readMessage } from "./read-message.ts";
import { Reading } from "./reading.ts";

/** A pipeline that can be made again and again (A §4.4). */
export interface PipelineTemplate {
  readonly templateId: string;
  readonly name: string;
  readonly description: string;
  readonly stages: readonly Stage[];
  readonly policy: PipelinePolicy;
}

export type TemplatesReading =
  | { readonly ok: true; readonly version: string; readonly templates: ReadonlyMap<string, PipelineTemplate> }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Reads the content of `config/pipeline-templates.yaml` as A §4.4 shows it; a template that cannot be planned is refused. */
export function readTemplates(content: unknown): TemplatesReading {
  const file = new Reading(content);
  const root = file.only(["pipeline_templates"]).at("pipeline_templates");
  if (typeof root.value !== "object" || root.value === null) {
    root.complain("must be there", "begin the file with pipeline_templates:");
    return { ok: false, problems: file.problems };
  }
  root.only(["version", "templates"]);
  const version = root.at("version").text();
  const templates = new Map<string, PipelineTemplate>();
  for (const entry of root.at("templates").list()) {
    const template = readTemplate(entry);
    const { templateId } = template;
    if (templates.has(templateId))
      entry.at("template_id").complain(`"${templateId}" is there twice`, "rename one of them");
    templates.set(templateId, template);
  }
  return file.problems.length === 0
    ? { ok: true, version, templates }
    : { ok: false, problems: file.problems };
}

function readTemplate(entry: Reading): PipelineTemplate {
  entry.only(["template_id", "name", "description", "stages", "policy"]);
  const templateId = entry.at("template_id").text();
  const before = entry.problems.length;
  const stages = entry.at("stages").list().map(readStage);
  const policy = create(PipelinePolicySchema, readMessage(PipelinePolicySchema, entry.at("policy")));
  // A plan of what could not be read would complain about the same things in other words.
  if (entry.problems.length === before) plan(entry, stages, policy);
  const optional = (key: string) => (entry.at(key).value === undefined ? "" : entry.at(key).text());
  return {
    templateId,
    name: optional("name") || templateId,
    description: optional("description"),
    stages,
    policy,
  };
}

const ownKeys = ["stage_id", "stage_name", "task_type"] as const;

/** In a file the configuration of a stage stands beside its id and type, not below a key of its own. */
function readStage(entry: Reading): Stage {
  const configKeys = StageConfigSchema.fields.map(({ name }) => name);
  entry.only([...ownKeys, ...configKeys]);
  const members = (entry.value ?? {}) as Record<string, unknown>;
  const config = Object.fromEntries(Object.entries(members).filter(([key]) => configKeys.includes(key)));
  const stageName = entry.at("stage_name");
  return create(StageSchema, {
    stageId: entry.at("stage_id").text(),
    taskType: entry.at("task_type").text(),
    stageName: stageName.value === undefined ? "" : stageName.text(),
    config: readMessage(StageConfigSchema, new Reading(config, entry.path, entry.problems)),
  });
}

/** The planner names stages by place or by id, below `config`; the file has neither that key nor the ids as paths. */
function plan(entry: Reading, stages: readonly Stage[], policy: PipelinePolicy): void {
  const planned = planPipeline(stages, policy);
  if (planned.ok) return;
  const placeOf = new Map(stages.map(({ stageId }, place) => [stageId, place]));
  for (const problem of planned.problems) {
    const byPlace = problem.at.replace(
      /^stages\.(.+?)\.config/,
      (_, id: string) => `stages[${placeOf.get(id)}].config`,
    );
    const path = byPlace.replace(/^(stages\[\d+\])\.config/, "$1");
    entry.problems.push({ ...problem, at: `${entry.path}.${path}` });
  }
}
