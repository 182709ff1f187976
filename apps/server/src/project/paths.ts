import { join } from "node:path";

/** A file or folder of a project. It must exist when the user named it, and may be missing at its default path. */
export interface ProjectPath {
  readonly path: string;
  readonly isNamed: boolean;
}

/** The files that configure a hub (A §3.1, §4.4, §5.3). */
export interface ProjectPaths {
  readonly routingPolicy: ProjectPath;
  readonly pipelineTemplates: ProjectPath;
  readonly redactionPolicy: ProjectPath;
  readonly spendLimits: ProjectPath;
  readonly webhooks: ProjectPath;
  readonly models: ProjectPath;
  readonly guardrails: ProjectPath;
  readonly constitution: ProjectPath;
  /** The folder of all packs, each in a folder of its own. */
  readonly packs: ProjectPath;
  /** The folder of all workflows, one a file. */
  readonly workflows: ProjectPath;
}

export const packFile = "profession-pack.yaml";

/** Whether a file of the folder of workflows is one; editors leave other files there. */
export function isWorkflowFile(name: string): boolean {
  return /^[^.].*\.ya?ml$/.test(name);
}

/** The files that stand alone, each with its kind. */
export function singleFiles(paths: ProjectPaths) {
  return [
    ["routing-policy", paths.routingPolicy],
    ["pipeline-templates", paths.pipelineTemplates],
    ["redaction-policy", paths.redactionPolicy],
    ["spend-limits", paths.spendLimits],
    ["webhooks", paths.webhooks],
    ["models", paths.models],
    ["guardrails", paths.guardrails],
    ["constitution", paths.constitution],
  ] as const;
}

/** The paths of the specification, relative to the folder of the project. */
export function defaultPaths(folder: string): ProjectPaths {
  const at = (...names: readonly string[]) => ({ path: join(folder, ...names), isNamed: false });
  return {
    routingPolicy: at("config", "routing-policy.yaml"),
    pipelineTemplates: at("config", "pipeline-templates.yaml"),
    redactionPolicy: at("config", "redaction-policy.yaml"),
    spendLimits: at("config", "spend-limits.yaml"),
    webhooks: at("config", "webhooks.yaml"),
    models: at("config", "models.yaml"),
    guardrails: at("config", "guardrails.yaml"),
    constitution: at("config", "constitution.yaml"),
    packs: at("packs"),
    workflows: at("workflows"),
  };
}
