import { basename, dirname } from "node:path";
import {
  type Configuration,
  checkProject,
  type Finding,
  type PipelineTemplate,
  type ProfessionPack,
  type RedactionPolicy,
  type RoutingPolicy,
  type RoutingPolicyReading,
  readProfessionPack,
  readRedactionPolicy,
  readRoutingPolicy,
  readTemplates,
} from "@baton/kernel";
import { hasProgram, programOf } from "@baton/runtime";
import { type ConfigProblem, splitPlace } from "../config/problem.ts";
import { parseYaml, type YamlFile } from "../config/yaml-file.ts";
import { version } from "../version.ts";
import type { SeenFile, Snapshot } from "./snapshot.ts";

/** What is wrong, and whether it keeps the files from being used. */
export interface Told extends ConfigProblem {
  readonly severity: "error" | "warning";
}

/** A pack, and how to name a place in its file. */
export interface PackFile {
  readonly pack: ProfessionPack;
  readonly path: string;
  readonly place: (path: string) => string;
}

/** What the files of a project say. */
export interface Project extends Configuration {
  readonly packFiles: readonly PackFile[];
}

export const emptyProject: Project = {
  policy: undefined,
  templates: new Map(),
  redaction: undefined,
  packs: [],
  packFiles: [],
};

export interface ProjectReading {
  /** Undefined when something keeps it from being used: it is used whole, or not at all. */
  readonly project: Project | undefined;
  /** File by file, from top to bottom. */
  readonly told: readonly Told[];
}

/** Reads all files, and tells everything that is wrong with them and between them. */
export function readProject({ files, problems }: Snapshot): ProjectReading {
  const reading = new FilesReading(problems);
  for (const file of files) reading.add(file);
  const { project, told } = reading.finish();
  return { project, told: inOrder(told, files) };
}

class FilesReading {
  readonly #told: Told[];
  readonly #places = new Map<Finding["file"], YamlFile["place"]>();
  readonly #packFiles: PackFile[] = [];
  /** What packs whose files are wrong seem to be called. */
  readonly #unread: string[] = [];
  #policy: RoutingPolicy | undefined;
  #policyIsPartial = false;
  #templates: ReadonlyMap<string, PipelineTemplate> | undefined;
  #redaction: RedactionPolicy | undefined;

  constructor(problems: readonly ConfigProblem[]) {
    this.#told = problems.map((problem) => ({ ...problem, severity: "error" }));
  }

  add({ kind, path, reading }: SeenFile): void {
    if (!reading.ok) {
      this.#tell([reading.problem]);
      if (kind === "profession-pack") this.#unread.push(seemingName("", path));
      return;
    }
    const yaml = parseYaml(path, reading.text);
    if (!yaml.ok) {
      this.#tell(yaml.problems);
      if (kind === "profession-pack") this.#unread.push(seemingName(reading.text, path));
      return;
    }
    const { value, place } = yaml.file;
    switch (kind) {
      case "routing-policy":
        this.#policy = this.#policyOf(readRoutingPolicy(value), place);
        this.#places.set(kind, place);
        break;
      case "pipeline-templates":
        this.#templates = this.#good(readTemplates(value), place)?.templates;
        this.#places.set(kind, place);
        break;
      case "redaction-policy":
        this.#redaction = this.#good(readRedactionPolicy(value), place)?.policy;
        break;
      case "profession-pack": {
        const pack = this.#good(readProfessionPack(value), place)?.pack;
        if (!pack) {
          this.#unread.push(seemingName(reading.text, path));
          break;
        }
        this.#places.set(this.#packFiles.length, place);
        this.#packFiles.push({ pack, path, place });
      }
    }
  }

  finish(): ProjectReading {
    const packs = this.#packFiles.map(({ pack }) => pack);
    const files = {
      ...{ policy: this.#policy, policyIsPartial: this.#policyIsPartial },
      ...{ templates: this.#templates, packs, unread: this.#unread },
    };
    for (const { file, at, ...finding } of checkProject(files, version)) {
      const place = this.#places.get(file);
      this.#told.push({ ...finding, at: place?.(at) ?? at });
    }
    this.#told.push(...this.#packFiles.flatMap(missingProgram));
    const told = this.#told;
    if (told.some(({ severity }) => severity === "error")) return { project: undefined, told };
    const project: Project = {
      policy: this.#policy,
      templates: this.#templates ?? new Map(),
      redaction: this.#redaction,
      packs,
      packFiles: this.#packFiles,
    };
    return { project, told };
  }

  /** One that is wrong is not used, and is still looked at beside the other files: all is told at once. */
  #policyOf(reading: RoutingPolicyReading, place: YamlFile["place"]): RoutingPolicy | undefined {
    const good = this.#good(reading, place)?.policy;
    this.#policyIsPartial = !reading.ok;
    return reading.ok ? good : reading.partly;
  }

  #good<Reading extends KernelReading>(
    reading: Reading,
    place: YamlFile["place"],
  ): Extract<Reading, { ok: true }> | undefined {
    if (isGood(reading)) return reading;
    if (!reading.ok) this.#tell(reading.problems.map((problem) => placed(problem, place)));
    return undefined;
  }

  #tell(problems: readonly ConfigProblem[]): void {
    this.#told.push(...problems.map((problem) => ({ ...problem, severity: "error" as const })));
  }
}

/** What cannot be read as YAML still has a line with its name, or else a folder, which is called like its pack as a rule. */
function seemingName(text: string, path: string): string {
  const [, name] = /^\s*["']?pack_id["']?\s*:\s*["']?([^\s"'#,}]+)/m.exec(text) ?? [];
  return name ?? basename(dirname(path));
}

/** The hub may be started elsewhere, or the program be installed later: it is said, and nothing is refused. */
function missingProgram({ pack: { manifest, command }, path, place }: PackFile): readonly Told[] {
  if (command === undefined || hasProgram({ command, folder: dirname(path) })) return [];
  const program = programOf({ command, folder: dirname(path) });
  const field = command.preset === undefined ? "run[0]" : "preset";
  return [
    {
      ...{ severity: "warning", code: "BATON-CONFIG-003", at: place(`profession_pack.command.${field}`) },
      message: `pack "${manifest.packId}" runs "${program}", and there is no such program here`,
      fix: `install ${program}, or put it on the PATH of the hub; until then nobody does its tasks`,
    },
  ];
}

type KernelReading =
  | { readonly ok: true }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

function isGood<Reading extends KernelReading>(reading: Reading): reading is Extract<Reading, { ok: true }> {
  return reading.ok;
}

/** The kernel says by paths what is wrong; here the paths become places. */
export function placed(problem: ConfigProblem, place: (path: string) => string): ConfigProblem {
  const { at, message } = problem;
  const name = at.slice(at.lastIndexOf(".") + 1);
  const says = /^(?:is|must|has|says|names|contradicts|leads) /.test(message)
    ? `${name} ${message}`
    : `${name}: ${message}`;
  return { ...problem, at: place(at), message: name === "" ? message : says };
}

/** File by file, each from top to bottom. */
function inOrder(told: readonly Told[], files: readonly SeenFile[]): readonly Told[] {
  const rank = new Map(files.map(({ path }, index) => [path, index]));
  const keyed = told.map((one) => {
    const { path, line = 0, column = 0 } = splitPlace(one.at);
    return { one, key: [rank.get(path) ?? -1, line, column] as const };
  });
  const sorted = keyed.toSorted(({ key: a }, { key: b }) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
  return sorted.map(({ one }) => one).filter(firstOfFile());
}

/** Who has mended so many looks again. */
const mostOfFile = 100;

function firstOfFile(): (told: Told) => boolean {
  const counts = new Map<string, number>();
  return ({ at }) => {
    const { path } = splitPlace(at);
    const count = (counts.get(path) ?? 0) + 1;
    counts.set(path, count);
    return count <= mostOfFile;
  };
}
