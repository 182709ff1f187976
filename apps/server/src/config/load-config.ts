import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { defaultMode, type EntropyOptions, type HubMode, hubModes } from "@baton/kernel";
import type { CheckpointTarget, ReferenceReaderOptions, RetentionOptions } from "@baton/runtime";
import { isLoopback } from "../border/trusted-names.ts";
import { defaultPaths, type Place, type ProjectPlaces } from "../project/places.ts";
import { emptyProject, type Project, readProject } from "../project/read-project.ts";
import { takeSnapshot } from "../project/snapshot.ts";
import { defaultServerConfig, type ServerConfig } from "../start-server.ts";
import { Given } from "./given.ts";
import { loadKeys } from "./load-keys.ts";
import { keyOf, names, type OptionName, readOutside } from "./options.ts";
import type { ConfigProblem } from "./problem.ts";
import { readAddress } from "./read-address.ts";
import { readAudit } from "./read-audit.ts";
import { readEntropy } from "./read-entropy.ts";
import { type EvidenceConfig, readEvidence } from "./read-evidence.ts";
import { readLimits } from "./read-limits.ts";
import { type OwnPlaces, readOwnPlaces } from "./read-own-places.ts";
import { readReferences } from "./read-references.ts";
import { readRetention } from "./read-retention.ts";
import { readYamlFile } from "./yaml-file.ts";

/** Everything that a hub is started with. */
export interface HubConfig {
  /** A folder; undefined keeps everything in memory. */
  readonly data: string | undefined;
  /** How strict it is (A §3.4, §4.7). */
  readonly mode: HubMode;
  /** Where the key of the store is kept; undefined keeps it in the folder. */
  readonly storeKey: string | undefined;
  readonly server: ServerConfig;
  /** Where its keys come from; undefined where it has none. */
  readonly keysFile: string | undefined;
  /** What the files of the project say now, and where they are. */
  readonly project: Project;
  readonly places: ProjectPlaces;
  /** Of the files as they were read. */
  readonly digest: string;
  /** Who may be called besides this machine, of agents that listen. */
  readonly allowedAgentHosts: readonly string[];
  /** How the hub checks evidence itself. */
  readonly evidence: EvidenceConfig;
  /** Where the hub makes places for agents to work in, and how long they stay. */
  readonly ownPlaces: OwnPlaces;
  /** Files of the hub's own that no command of a contract may see. */
  readonly secrets: readonly string[];
  /** What the hub may read again when it is too old. */
  readonly references: ReferenceReaderOptions;
  /** How long events and turns stay. */
  readonly retention: RetentionOptions;
  /** When falling confidence of an agent brings a person. */
  readonly entropy: EntropyOptions;
  /** Where the audit record is written as files, too; undefined writes none. */
  readonly auditFolder: string | undefined;
  /** Where checkpoints of the record are copied to. */
  readonly checkpoints: readonly CheckpointTarget[];
  readonly logLevel: string;
  readonly graceMs: number;
}

export type ConfigReading = Found &
  ({ readonly ok: true; readonly config: HubConfig } | { readonly ok: false });

interface Found {
  readonly problems: readonly ConfigProblem[];
  /** What does not keep the hub from starting. */
  readonly warnings: readonly ConfigProblem[];
  /** The files that were found, or should have been. */
  readonly files: readonly string[];
}

const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"];
export const defaultData = ".baton";
const defaultGraceMs = 30_000;

/** Reads the command line, the environment and the files they name, and tells everything that is wrong with them. */
export function loadConfig(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  folder: string,
): ConfigReading {
  const problems: ConfigProblem[] = [];
  const outside = readOutside(args, env, problems);
  const configPath = outside.get("config")?.text();
  const file = configPath === undefined ? noFile(problems) : openFile(resolve(folder, configPath), problems);
  file.only([
    // The file that is read cannot say which file is read.
    ...names()
      .filter((name) => name !== "config")
      .map(keyOf),
    "allowed_hosts",
    "allowed_origins",
    "allowed_agent_hosts",
    "evidence",
    "limits",
    "references",
    "workspaces",
    "retention",
    "entropy",
    "audit",
  ]);

  const fileFolder = configPath === undefined ? folder : dirname(resolve(folder, configPath));
  const say = (name: OptionName): Given | undefined => {
    const said = outside.get(name) ?? file.at(keyOf(name));
    return said.isThere ? said : undefined;
  };
  /** What a file says of paths begins at the file; what is said elsewhere begins where it was said. */
  const pathOf = (name: OptionName): string | undefined => {
    const base = outside.has(name) ? folder : fileFolder;
    const path = say(name)?.text();
    return path === undefined || path === "" ? undefined : resolve(base, path);
  };
  const grpc = say("grpc");
  const http = say("http");
  const keys = pathOf("keys");
  const isOpen = [grpc, http].some((address) => address !== undefined && !isLoopback(hostOf(address)));
  const reach = { hasKeys: keys !== undefined, isOpen };
  const evidence = readEvidence(file.at("evidence"), fileFolder, reach);
  const projectFolder = pathOf("project") ?? folder;
  if (!isFolder(projectFolder))
    say("project")?.complain("is not a folder", "name the folder that has config/ and packs/");
  const places = workspacesIn(projectFolder, pathOf);
  const loaded = loadProject(places, problems);
  const data = readData(say("data"), pathOf("data") ?? resolve(projectFolder, defaultData));
  const storeKey = pathOf("store-key");
  const config: HubConfig = {
    data,
    mode: readMode(say("mode")),
    storeKey,
    keysFile: keys,
    server: {
      grpc: grpc ? readAddress(grpc) : defaultServerConfig.grpc,
      http: http ? readAddress(http) : defaultServerConfig.http,
      keys: keys === undefined ? [] : loadKeys(keys, problems),
      needsKeys: keys !== undefined,
      allowedHosts: file.at("allowed_hosts").texts(),
      allowedOrigins: file.at("allowed_origins").texts(),
      limits: readLimits(file.at("limits")),
    },
    ...loaded.inForce,
    allowedAgentHosts: file.at("allowed_agent_hosts").texts(),
    evidence,
    ownPlaces: readOwnPlaces(file.at("workspaces"), fileFolder, data),
    references: readReferences(file.at("references"), fileFolder, evidence.workspaces),
    secrets: [keys, configPath === undefined ? undefined : resolve(folder, configPath), storeKey].flatMap(
      (path) => path ?? [],
    ),
    retention: readRetention(file.at("retention")),
    entropy: readEntropy(file.at("entropy")),
    auditFolder: pathOf("audit-folder"),
    checkpoints: readAudit(file.at("audit"), fileFolder),
    logLevel: readLogLevel(say("log-level")),
    graceMs: say("grace")?.durationMs() ?? defaultGraceMs,
  };
  const given = [...(configPath === undefined ? [] : [resolve(folder, configPath)]), ...(keys ? [keys] : [])];
  const found = { problems, warnings: loaded.warnings, files: [...given, ...loaded.files] };
  return problems.length === 0 ? { ...found, ok: true, config } : { ...found, ok: false };
}

/** Of an address that may still turn out to be none. */
function hostOf({ value }: Given): string {
  return String(value)
    .replace(/:\d*$/, "")
    .replace(/^\[(.*)\]$/, "$1");
}

/** What is named is there, what is not named may be at its usual place. */
function workspacesIn(folder: string, pathOf: (name: OptionName) => string | undefined): ProjectPlaces {
  const usual = defaultPaths(folder);
  const placeOf = (name: OptionName, otherwise: Place): Place => {
    const path = pathOf(name);
    return path === undefined ? otherwise : { path, isNamed: true };
  };
  return {
    routingPolicy: placeOf("routing-policy", usual.routingPolicy),
    pipelineTemplates: placeOf("pipeline-templates", usual.pipelineTemplates),
    redactionPolicy: placeOf("redaction-policy", usual.redactionPolicy),
    packs: placeOf("packs", usual.packs),
  };
}

function loadProject(places: ProjectPlaces, problems: ConfigProblem[]) {
  const snapshot = takeSnapshot(places);
  const { project = emptyProject, told } = readProject(snapshot);
  const errors = told.filter(({ severity }) => severity === "error");
  problems.push(...errors.map(({ severity: _, ...problem }) => problem));
  const warnings = told.filter(({ severity }) => severity === "warning");
  const files = snapshot.files.map(({ path }) => path);
  return { inForce: { project, places, digest: snapshot.digest }, warnings, files };
}

/** It is made when it is not there; what is there must be a folder. */
function readData(said: Given | undefined, path: string): string | undefined {
  if (said?.value === ":memory:") return undefined;
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && !found.isDirectory())
    said?.complain("is not a folder", "name a folder; it is made if it is not there");
  return path;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function noFile(problems: ConfigProblem[]): Given {
  return new Given({}, () => "", problems);
}

function openFile(path: string, problems: ConfigProblem[]): Given {
  const reading = readYamlFile(path);
  if (reading.ok) return new Given(reading.file.value ?? {}, reading.file.place, problems);
  problems.push(...reading.problems);
  return noFile(problems);
}

function readMode(given: Given | undefined): HubMode {
  if (given === undefined) return defaultMode;
  const mode = hubModes.find((known) => known === given.value);
  if (mode === undefined)
    given.complain(`"${String(given.value)}" is not a mode`, `use one of: ${hubModes.join(", ")}`);
  return mode ?? defaultMode;
}

function readLogLevel(given: Given | undefined): string {
  if (given === undefined) return "info";
  if (!logLevels.includes(String(given.value))) {
    given.complain(`"${String(given.value)}" is not a log level`, `use one of: ${logLevels.join(", ")}`);
  }
  return String(given.value);
}
