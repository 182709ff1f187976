import { createHash } from "node:crypto";
import { basename, dirname } from "node:path";
import {
  type Configuration,
  type Constitution,
  checkProject,
  compileWorkflows,
  type Finding,
  type GuardrailPolicy,
  type ModelCatalogue,
  type PipelineTemplate,
  type ProfessionPack,
  type RedactionPolicy,
  type RoutingPolicy,
  type RoutingPolicyReading,
  readConstitution,
  readGuardrails,
  readModels,
  readProfessionPack,
  readRedactionPolicy,
  readRoutingPolicy,
  readSpendLimits,
  readTemplates,
  readWorkflow,
  type SpendLimits,
  type WebhookPolicy,
  type WorkflowFile,
} from "@baton/kernel";
import { hasProgram, programOf } from "@baton/runtime";
import { type ConfigProblem, splitPosition } from "../files/problem.ts";
import { parseYaml, type YamlFile } from "../files/yaml-file.ts";
import { version } from "../version.ts";
import type { PromptFile } from "./read-prompt.ts";
import type { Snapshot, SnapshotFile } from "./snapshot.ts";
import { missingSecrets, readWebhooksFile } from "./webhooks-file.ts";

/** A problem, and whether it prevents the files from being used. */
export interface FileFinding extends ConfigProblem {
  readonly severity: "error" | "warning";
}

type PositionOf = YamlFile["positionOf"];

/** A pack and its file. */
export interface PackFile {
  readonly pack: ProfessionPack;
  readonly path: string;
  readonly positionOf: PositionOf;
}

/** The contents of the files of a project. */
export interface Project extends Configuration {
  readonly packFiles: readonly PackFile[];
}

export const emptyProject: Project = {
  policy: undefined,
  templates: new Map(),
  redaction: undefined,
  guardrails: undefined,
  constitution: undefined,
  spendLimits: undefined,
  webhooks: undefined,
  packs: [],
  models: undefined,
  packFiles: [],
};

export interface ProjectReading {
  /** Undefined when there are errors: a project is used whole or not at all. */
  readonly project: Project | undefined;
  /** File by file, from top to bottom. */
  readonly findings: readonly FileFinding[];
}

/** Reads all files, and reports every problem in them and between them. */
export function readProject(
  { files, problems }: Snapshot,
  hasVariable: (name: string) => boolean = () => true,
): ProjectReading {
  const reader = new ProjectReader(problems, hasVariable);
  for (const file of files) reader.add(file);
  const { project, findings } = reader.finish();
  return { project, findings: sortFindings(findings, files) };
}

class ProjectReader {
  readonly #hasVariable: (name: string) => boolean;
  readonly #findings: FileFinding[];
  readonly #positions = new Map<Finding["file"], PositionOf>();
  readonly #packFiles: PackFile[] = [];
  /** Presumed names of packs with invalid files. */
  readonly #unread: string[] = [];
  readonly #workflows: { readonly file: WorkflowFile; readonly positionOf: PositionOf }[] = [];
  /** Presumed names of workflows with invalid files. */
  readonly #unreadWorkflows: string[] = [];
  #policy: RoutingPolicy | undefined;
  #policyIsPartial = false;
  #templates: ReadonlyMap<string, PipelineTemplate> | undefined;
  #redaction: RedactionPolicy | undefined;
  #spendLimits: SpendLimits | undefined;
  #webhooks: WebhookPolicy | undefined;
  #models: ModelCatalogue | undefined;
  #modelsUnread = false;
  #guardrails: GuardrailPolicy | undefined;
  #constitution: Constitution | undefined;

  constructor(problems: readonly ConfigProblem[], hasVariable: (name: string) => boolean) {
    this.#hasVariable = hasVariable;
    this.#findings = problems.map((problem) => ({ ...problem, severity: "error" }));
  }

  add({ kind, path, reading, prompt }: SnapshotFile): void {
    const yaml = reading.ok
      ? parseYaml(path, reading.text)
      : { ok: false as const, problems: [reading.problem] };
    const text = reading.ok ? reading.text : "";
    if (!yaml.ok) {
      this.#addErrors(yaml.problems);
      if (kind === "profession-pack") this.#unread.push(presumedName(text, path));
      if (kind === "models") this.#modelsUnread = true;
      if (kind === "workflow") this.#unreadWorkflows.push(presumedWorkflow(text, path));
      return;
    }
    const { value, positionOf } = yaml.file;
    switch (kind) {
      case "routing-policy":
        this.#policy = this.#policyOf(readRoutingPolicy(value), positionOf);
        this.#positions.set(kind, positionOf);
        break;
      case "pipeline-templates":
        this.#templates = this.#valid(readTemplates(value), positionOf)?.templates;
        this.#positions.set(kind, positionOf);
        break;
      case "redaction-policy":
        this.#redaction = this.#valid(readRedactionPolicy(value), positionOf)?.policy;
        break;
      case "spend-limits":
        this.#spendLimits = this.#valid(readSpendLimits(value), positionOf)?.limits;
        break;
      case "webhooks":
        this.#webhooks = this.#valid(readWebhooksFile(value, path), positionOf)?.policy;
        this.#findings.push(...this.#missingHookSecrets(positionOf));
        break;
      case "models":
        this.#models = this.#valid(readModels(value), positionOf)?.catalogue;
        this.#modelsUnread = this.#models === undefined;
        this.#findings.push(...this.#missingKeys(positionOf));
        break;
      case "guardrails":
        this.#guardrails = this.#valid(readGuardrails(value), positionOf)?.guardrails;
        break;
      case "constitution":
        this.#constitution = this.#valid(readConstitution(value, digestOf(text)), positionOf)?.constitution;
        break;
      case "profession-pack": {
        const pack = this.#valid(readProfessionPack(value), positionOf)?.pack;
        if (!pack) {
          this.#unread.push(presumedName(text, path));
          break;
        }
        this.#positions.set(this.#packFiles.length, positionOf);
        this.#packFiles.push({ pack: this.#withPrompt(pack, prompt, positionOf), path, positionOf });
        break;
      }
      case "workflow": {
        const reading = readWorkflow(value);
        const file = this.#valid(reading, positionOf)?.workflow;
        if (file) {
          this.#positions.set(`workflow ${this.#workflows.length}`, positionOf);
          this.#workflows.push({ file, positionOf });
        } else if (!reading.ok) this.#unreadWorkflows.push(reading.name || presumedWorkflow(text, path));
      }
    }
  }

  finish(): ProjectReading {
    const packs = this.#packFiles.map(({ pack }) => pack);
    const templates = this.#withWorkflows(packs);
    const files = {
      workflows: this.#workflows.map(({ file }) => file),
      ...{ policy: this.#policy, policyIsPartial: this.#policyIsPartial },
      ...{ templates: this.#templates, packs, unread: this.#unread },
      ...{ models: this.#models, modelsUnread: this.#modelsUnread },
    };
    for (const { file, at, ...finding } of checkProject(files, version)) {
      const positionOf = this.#positions.get(file);
      this.#findings.push({ ...finding, at: positionOf?.(at) ?? at });
    }
    this.#findings.push(...this.#packFiles.flatMap(missingProgram));
    const findings = this.#findings;
    if (findings.some(({ severity }) => severity === "error")) return { project: undefined, findings };
    const project: Project = {
      policy: this.#policy,
      templates,
      redaction: this.#redaction,
      guardrails: this.#guardrails,
      constitution: this.#constitution,
      spendLimits: this.#spendLimits,
      webhooks: this.#webhooks,
      packs,
      models: this.#models,
      packFiles: this.#packFiles,
    };
    return { project, findings };
  }

  /** Compiles the workflows, which share the names of templates. */
  #withWorkflows(packs: readonly ProfessionPack[]): ReadonlyMap<string, PipelineTemplate> {
    const templates = this.#templates ?? new Map<string, PipelineTemplate>();
    if (this.#workflows.length === 0) return templates;
    const compiled = compileWorkflows(
      this.#workflows.map(({ file }) => file),
      {
        packs: packs.map(({ manifest }) => manifest),
        ...{ templates, unread: this.#unreadWorkflows, unreadPacks: this.#unread },
      },
    );
    for (const { file, problem } of compiled.problems) {
      const positionOf = this.#workflows[file]?.positionOf;
      this.#addErrors([positionOf ? withPosition(problem, positionOf) : problem]);
    }
    return new Map([...templates, ...compiled.templates]);
  }

  /** An invalid policy is not used, but still checked against the other files, so that all problems are reported at once. */
  #policyOf(reading: RoutingPolicyReading, positionOf: PositionOf): RoutingPolicy | undefined {
    const valid = this.#valid(reading, positionOf)?.policy;
    this.#policyIsPartial = !reading.ok;
    return reading.ok ? valid : reading.partly;
  }

  #valid<Reading extends KernelReading>(
    reading: Reading,
    positionOf: PositionOf,
  ): Extract<Reading, { ok: true }> | undefined {
    if (isValid(reading)) return reading;
    if (!reading.ok) this.#addErrors(reading.problems.map((problem) => withPosition(problem, positionOf)));
    return undefined;
  }

  /** The pack with the text of its prompt. Problems of the file are reported where the pack names it. */
  #withPrompt(pack: ProfessionPack, prompt: PromptFile | undefined, positionOf: PositionOf): ProfessionPack {
    const { model } = pack;
    if (model === undefined || prompt === undefined) return pack;
    const { reading, path } = prompt;
    if (reading.ok && reading.text.trim() !== "")
      return { ...pack, model: { ...model, systemPrompt: reading.text } };
    const { code, message, fix } = reading.ok
      ? { code: "BATON-CONFIG-002", message: "the file is empty", fix: "write the prompt into it" }
      : reading.problem;
    const at = positionOf("profession_pack.model.system_prompt_file");
    this.#addErrors([{ code, at, message: `${basename(path)}: ${message}`, fix }]);
    return pack;
  }

  /** Only a warning: the hub may be started elsewhere, or with another environment. */
  #missingKeys(positionOf: PositionOf): readonly FileFinding[] {
    const providers = [...(this.#models?.providers.values() ?? [])];
    return providers.flatMap(({ id, keyEnv }, index) => {
      if (keyEnv === undefined || this.#hasVariable(keyEnv)) return [];
      return [
        {
          ...{ severity: "warning", code: "BATON-CONFIG-003", at: positionOf(`providers[${index}].key_env`) },
          message: `provider "${id}" needs the variable ${keyEnv}, which is not set here`,
          fix: `set ${keyEnv} in the environment of the hub; until then its models answer no task`,
        },
      ];
    });
  }

  #missingHookSecrets(positionOf: PositionOf): readonly FileFinding[] {
    const missing = this.#webhooks ? missingSecrets(this.#webhooks, this.#hasVariable) : [];
    return missing.map(({ at, what }) => ({
      ...{ severity: "warning", code: "BATON-CONFIG-003", at: positionOf(at) },
      message: `this secret is in ${what}`,
      fix: "provide it; until then the messages wait, and none is sent unsigned",
    }));
  }

  #addErrors(problems: readonly ConfigProblem[]): void {
    this.#findings.push(...problems.map((problem) => ({ ...problem, severity: "error" as const })));
  }
}

/** By which reports name the constitution in force. */
function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** From the line with the name, which invalid YAML may still have, or from the folder, which usually has the same name. */
function presumedName(text: string, path: string): string {
  const [, name] = /^\s*["']?pack_id["']?\s*:\s*["']?([^\s"'#,}]+)/m.exec(text) ?? [];
  return name ?? basename(dirname(path));
}

function presumedWorkflow(text: string, path: string): string {
  const [, name] = /^\s+["']?name["']?\s*:\s*["']?([^\s"'#,}]+)/m.exec(text) ?? [];
  return name ?? basename(path).replace(/\.ya?ml$/, "");
}

/** Only a warning: the hub may run on another machine, or the program be installed later. */
function missingProgram({ pack: { manifest, command }, path, positionOf }: PackFile): readonly FileFinding[] {
  if (command === undefined || hasProgram({ command, folder: dirname(path) })) return [];
  const program = programOf({ command, folder: dirname(path) });
  const field = command.preset === undefined ? "run[0]" : "preset";
  return [
    {
      ...{
        severity: "warning",
        code: "BATON-CONFIG-003",
        at: positionOf(`profession_pack.command.${field}`),
      },
      message: `pack "${manifest.packId}" runs "${program}", and there is no such program here`,
      fix: `install ${program}, or put it on the PATH of the hub; until then nobody does its tasks`,
    },
  ];
}

type KernelReading =
  | { readonly ok: true }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

function isValid<Reading extends KernelReading>(reading: Reading): reading is Extract<Reading, { ok: true }> {
  return reading.ok;
}

/** Replaces the path of a value, which the kernel reports, by its position in the file. */
export function withPosition(problem: ConfigProblem, positionOf: PositionOf): ConfigProblem {
  const { at, message } = problem;
  const name = at.slice(at.lastIndexOf(".") + 1);
  const says = /^(?:is|must|has|says|names|contradicts|leads) /.test(message)
    ? `${name} ${message}`
    : `${name}: ${message}`;
  return { ...problem, at: positionOf(at), message: name === "" ? message : says };
}

/** File by file, each from top to bottom. */
function sortFindings(
  findings: readonly FileFinding[],
  files: readonly SnapshotFile[],
): readonly FileFinding[] {
  const rank = new Map(files.map(({ path }, index) => [path, index]));
  const keyed = findings.map((finding) => {
    const { path, line = 0, column = 0 } = splitPosition(finding.at);
    return { finding, path, key: [rank.get(path) ?? -1, line, column] as const };
  });
  const sorted = keyed.toSorted(({ key: a }, { key: b }) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
  const byFile = Map.groupBy(sorted, ({ path }) => path).values();
  return [...byFile].flatMap((ofFile) => ofFile.slice(0, maxOfFile).map(({ finding }) => finding));
}

/** After fixing so many, a person checks again. */
const maxOfFile = 100;
