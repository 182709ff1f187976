import {
  type PipelinePolicy,
  PipelinePolicySchema,
  type Stage,
  StageConfigSchema,
  StageSchema,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { acceptPlan } from "../pipeline/plan/accept-plan.ts";
import type { PipelinePlan } from "../pipeline/plan/plan.ts";
import type { Problem } from "../problem.ts";
import { fields, list, optional, required, type ValuesOf } from "./lists-and-fields.ts";
import { initOf, messageFields, messageShape } from "./message-shape.ts";
import { checkName, Reading } from "./reading.ts";
import { text } from "./shape.ts";

/** A template of pipelines (A §4.4). */
export interface PipelineTemplate {
  readonly templateId: string;
  readonly name: string;
  readonly description: string;
  readonly stages: readonly Stage[];
  readonly policy: PipelinePolicy;
  /** The accepted plan, shared by all runs of the template. */
  readonly plan?: PipelinePlan | undefined;
  /** Set for a workflow, which has a file of its own. */
  readonly workflow?: { readonly ends: readonly string[] } | undefined;
}

type TemplatesReading =
  | { readonly ok: true; readonly version: string; readonly templates: ReadonlyMap<string, PipelineTemplate> }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** In a file the configuration of a stage is beside its id and type, not below a key. */
const ownFields = {
  stage_id: required(text(), "The stage's id within the template."),
  stage_name: optional(text(), "A name for people."),
  task_type: required(text(), "The type of task, which the routing policy has a route for."),
};
const stage = fields({ ...ownFields, ...messageFields(StageConfigSchema) }, "Stage");

const templateFields = {
  template_id: required(text(), "What a task names to be run by this template."),
  name: optional(text(), "A name for people."),
  description: optional(text(), "What it is for."),
  stages: required(
    list(stage, { least: 1, most: 1_000, example: "- stage_id: work" }),
    "What is done, and in which order.",
  ),
  policy: optional(messageShape(PipelinePolicySchema), "What holds for the pipeline as a whole."),
};

const templatesShape = fields({
  version: required(text(), "Your version of these templates."),
  templates: optional(list(fields(templateFields)), "The templates.", []),
});

/** `config/pipeline-templates.yaml` as A §4.4 shows it. */
export const pipelineTemplatesShape = fields(
  { pipeline_templates: required(templatesShape, "Pipelines that can be made again and again.") },
  "Pipeline templates",
);

/** Reads the content of the file; refuses a template that cannot be planned. */
export function readTemplates(content: unknown): TemplatesReading {
  const file = new Reading(content);
  const { version, templates: given } = pipelineTemplatesShape.read(file).pipeline_templates;
  const templates = new Map<string, PipelineTemplate>();
  const readings = file.at("pipeline_templates").at("templates").items();
  for (const [index, values] of given.entries()) {
    const reading = readings[index] ?? file;
    const template = makeTemplate(values, reading);
    const { templateId } = template;
    if (templateId !== "" && templates.has(templateId))
      reading.at("template_id").reportInconsistent(`"${templateId}" is used twice`, "rename one of them");
    templates.set(templateId, template);
  }
  return file.problems.length === 0
    ? { ok: true, version, templates }
    : { ok: false, problems: file.problems };
}

function makeTemplate(given: ValuesOf<typeof templateFields>, reading: Reading): PipelineTemplate {
  const stages = given.stages.map(makeStage);
  const policy = create(PipelinePolicySchema, given.policy ?? {});
  // Without stage ids it cannot be planned.
  const isNamed = stages.length > 0 && stages.every(({ stageId }) => stageId !== "");
  const accepted = isNamed ? plan(reading, stages, policy) : undefined;
  checkName(reading.at("template_id"), given.template_id);
  for (const [index, stage] of reading.at("stages").items().entries()) {
    checkName(stage.at("stage_id"), stages[index]?.stageId);
    checkName(stage.at("task_type"), stages[index]?.taskType);
  }
  const { template_id: templateId, name = templateId, description = "" } = given;
  return { templateId, name, description, stages, policy, plan: accepted };
}

function makeStage(given: ValuesOf<typeof ownFields>): Stage {
  const { stage_id: stageId, stage_name: stageName = "", task_type: taskType } = given;
  return create(StageSchema, { stageId, stageName, taskType, config: initOf(StageConfigSchema, given) });
}

/**
 * Converts paths: the planner names stages by index or id, below `config`; the file has neither ids in paths nor that key.
 */
function plan(entry: Reading, stages: readonly Stage[], policy: PipelinePolicy): PipelinePlan | undefined {
  const planned = acceptPlan(stages, policy);
  if (planned.ok) return planned.plan;
  // Unreadable values differ in the plan, and are reported already.
  const reported = entry.problems.map(({ at }) => at);
  const positionOf = new Map(stages.map(({ stageId }, position) => [stageId, position]));
  for (const problem of planned.problems) {
    const byPlace = problem.at.replace(
      /^stages\.(.+?)\.config/,
      (_, id: string) => `stages[${positionOf.get(id)}].config`,
    );
    const path = byPlace.replace(/^(stages\[\d+\])\.config/, "$1");
    const at = `${entry.path}.${path}`;
    if (reported.some((before) => isWithin(before, at) || isWithin(at, before))) continue;
    reported.push(at);
    entry.problems.push({ ...problem, at });
  }
  return undefined;
}

function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);
}
