import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { defaultMode, type EntropyOptions, type HubMode, hubModes } from "@baton/kernel";
import type {
  CheckpointTarget,
  ReferenceReaderOptions,
  RetentionOptions,
  UploadSettings,
} from "@baton/runtime";
import type { ConfigProblem } from "../files/problem.ts";
import { readYamlFile } from "../files/yaml-file.ts";
import { defaultPaths, type ProjectPath, type ProjectPaths } from "../project/paths.ts";
import { emptyProject, type Project, readProject } from "../project/read-project.ts";
import { takeSnapshot } from "../project/snapshot.ts";
import { defaultServerConfig, type ServerConfig } from "../start-server.ts";
import { type Address, isLoopback } from "../transport/listen.ts";
import { keyOf, names, type OptionName, readOverrides } from "./options.ts";
import { readAudit } from "./read-audit.ts";
import { type EvidenceConfig, readEvidence } from "./read-evidence.ts";
import { loadKeys } from "./read-keys.ts";
import { readReferences } from "./read-references.ts";
import {
  readEntropy,
  readLimits,
  readRetention,
  readUploads,
  readWorkspaces,
  type WorkspaceSettings,
} from "./read-sections.ts";
import { Setting } from "./setting.ts";

/** Everything that a hub is started with. */
export interface HubConfig {
  /** The data folder; undefined keeps everything in memory. */
  readonly data: string | undefined;
  /** How strict the hub is (A §3.4, §4.7). */
  readonly mode: HubMode;
  /** The file with the key of the store; undefined for the data folder. */
  readonly storeKey: string | undefined;
  readonly server: ServerConfig;
  /** The key file; undefined for a hub without keys. */
  readonly keysFile: string | undefined;
  readonly project: Project;
  readonly paths: ProjectPaths;
  /** Of the project's files as they were read. */
  readonly digest: string;
  /** Hosts besides this machine at which push agents may be called. */
  readonly allowedAgentHosts: readonly string[];
  readonly evidence: EvidenceConfig;
  readonly workspaces: WorkspaceSettings;
  /** Files of the hub that no contract command may see. */
  readonly secrets: readonly string[];
  /** What the hub may read again when it is too old. */
  readonly references: ReferenceReaderOptions;
  readonly retention: RetentionOptions;
  readonly uploads: UploadSettings;
  /** When falling confidence of an agent escalates to a person. */
  readonly entropy: EntropyOptions;
  /** A folder for copies of the audit record; undefined writes none. */
  readonly auditFolder: string | undefined;
  /** Where checkpoints of the record are copied to. */
  readonly checkpoints: readonly CheckpointTarget[];
  readonly logLevel: string;
  readonly graceMs: number;
}

export type ConfigReading = ConfigFindings &
  ({ readonly ok: true; readonly config: HubConfig } | { readonly ok: false });

interface ConfigFindings {
  readonly problems: readonly ConfigProblem[];
  /** Findings that do not prevent the start. */
  readonly warnings: readonly ConfigProblem[];
  /** The files that were read, or could not be. */
  readonly files: readonly string[];
}

const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"];
export const defaultData = ".baton";
const defaultGraceMs = 30_000;

/** Sections of the file that are not options. */
const sections = [
  ...["allowed_hosts", "allowed_origins", "allowed_agent_hosts", "evidence", "limits"],
  ...["references", "workspaces", "retention", "entropy", "audit", "uploads"],
];

/** Reads the command line, the environment and the files they name, and reports all problems. */
export function loadConfig(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  folder: string,
): ConfigReading {
  const problems: ConfigProblem[] = [];
  const overrides = readOverrides(args, env, problems);
  const namedConfig = overrides.get("config")?.text();
  const configPath = namedConfig === undefined ? undefined : resolve(folder, namedConfig);
  const file = configPath === undefined ? emptyFile(problems) : openFile(configPath, problems);
  // A file cannot name the file to read.
  const fileOptions = names().filter((name) => name !== "config");
  file.only([...fileOptions.map(keyOf), ...sections]);

  const fileFolder = configPath === undefined ? folder : dirname(configPath);
  const settingOf = (name: OptionName) => {
    const setting = overrides.get(name) ?? file.at(keyOf(name));
    return setting.isSet ? setting : undefined;
  };
  /** Paths in the file are relative to the file, all others to the working folder. */
  const pathOf = (name: OptionName): string | undefined => {
    const path = settingOf(name)?.text();
    return path ? resolve(overrides.has(name) ? folder : fileFolder, path) : undefined;
  };
  const grpc = settingOf("grpc");
  const http = settingOf("http");
  const keys = pathOf("keys");
  const isOpen = [grpc, http].some((address) => address !== undefined && !isLoopback(hostOf(address)));
  const evidence = readEvidence(file.at("evidence"), fileFolder, { hasKeys: keys !== undefined, isOpen });
  const projectFolder = pathOf("project") ?? folder;
  if (!isFolder(projectFolder))
    settingOf("project")?.refuse(
      "is not a folder",
      "name the folder that has config/, packs/ and workflows/",
    );
  const loaded = loadProject(projectPaths(projectFolder, pathOf), problems, env);
  const data = readData(settingOf("data"), pathOf("data") ?? resolve(projectFolder, defaultData));
  const storeKey = pathOf("store-key");
  const config: HubConfig = {
    data,
    mode: settingOf("mode")?.oneOf(hubModes, "a mode") ?? defaultMode,
    storeKey,
    keysFile: keys,
    server: {
      hasListedWorkspaces: evidence.workspaces !== "any",
      grpc: grpc ? readAddress(grpc) : defaultServerConfig.grpc,
      http: http ? readAddress(http) : defaultServerConfig.http,
      keys: keys === undefined ? [] : loadKeys(keys, problems),
      needsKeys: keys !== undefined,
      allowedHosts: file.at("allowed_hosts").texts(),
      allowedOrigins: file.at("allowed_origins").texts(),
      limits: readLimits(file.at("limits")),
    },
    ...loaded.project,
    allowedAgentHosts: file.at("allowed_agent_hosts").texts(),
    evidence,
    workspaces: readWorkspaces(file.at("workspaces"), fileFolder, data),
    references: readReferences(file.at("references"), fileFolder, evidence.workspaces),
    secrets: [keys, configPath, storeKey].filter((path) => path !== undefined),
    retention: readRetention(file.at("retention")),
    entropy: readEntropy(file.at("entropy")),
    uploads: readUploads(file.at("uploads")),
    auditFolder: pathOf("audit-folder"),
    checkpoints: readAudit(file.at("audit"), fileFolder),
    logLevel: settingOf("log-level")?.oneOf(logLevels, "a log level") ?? "info",
    graceMs: settingOf("grace")?.durationMs() ?? defaultGraceMs,
  };
  const files = [configPath, keys, ...loaded.files].filter((path) => path !== undefined);
  const findings = { problems, warnings: loaded.warnings, files };
  return problems.length === 0 ? { ...findings, ok: true, config } : { ...findings, ok: false };
}

/** The host of an address that may still be invalid. */
function hostOf({ value }: Setting): string {
  return String(value)
    .replace(/:\d*$/, "")
    .replace(/^\[(.*)\]$/, "$1");
}

/** A named file must exist; the default may be missing. */
function projectPaths(folder: string, pathOf: (name: OptionName) => string | undefined): ProjectPaths {
  const defaults = defaultPaths(folder);
  const choose = (name: OptionName, byDefault: ProjectPath): ProjectPath => {
    const path = pathOf(name);
    return path === undefined ? byDefault : { path, isNamed: true };
  };
  return {
    routingPolicy: choose("routing-policy", defaults.routingPolicy),
    pipelineTemplates: choose("pipeline-templates", defaults.pipelineTemplates),
    redactionPolicy: choose("redaction-policy", defaults.redactionPolicy),
    spendLimits: choose("spend-limits", defaults.spendLimits),
    webhooks: choose("webhooks", defaults.webhooks),
    models: choose("models", defaults.models),
    guardrails: choose("guardrails", defaults.guardrails),
    constitution: choose("constitution", defaults.constitution),
    packs: choose("packs", defaults.packs),
    workflows: choose("workflows", defaults.workflows),
  };
}

function loadProject(
  paths: ProjectPaths,
  problems: ConfigProblem[],
  env: Readonly<Record<string, string | undefined>>,
) {
  const snapshot = takeSnapshot(paths);
  const { project = emptyProject, findings } = readProject(snapshot, (name) => Boolean(env[name]));
  const errors = findings.filter(({ severity }) => severity === "error");
  problems.push(...errors.map(({ severity: _, ...problem }) => problem));
  const warnings = findings.filter(({ severity }) => severity === "warning");
  const files = snapshot.files.map(({ path }) => path);
  return { project: { project, paths, digest: snapshot.digest }, warnings, files };
}

/** The store creates a missing folder. */
function readData(setting: Setting | undefined, path: string): string | undefined {
  if (setting?.value === ":memory:") return undefined;
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && !found.isDirectory())
    setting?.refuse("is not a folder", "name a folder; a missing folder is created");
  return path;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function emptyFile(problems: ConfigProblem[]): Setting {
  return new Setting({}, () => "", problems);
}

function openFile(path: string, problems: ConfigProblem[]): Setting {
  const reading = readYamlFile(path);
  if (reading.ok) return new Setting(reading.file.value ?? {}, reading.file.positionOf, problems);
  problems.push(...reading.problems);
  return emptyFile(problems);
}

/** Such as `127.0.0.1:7433`, `[::1]:7433` or `localhost:7433`. */
function readAddress(setting: Setting): Address {
  const { value } = setting;
  // YAML reads a port alone as a number.
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  const [, bracketed, plain, port] = /^(?:\[([0-9a-fA-F:.]+)\]|([\w.-]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host !== undefined && Number(port) <= 65_535) return { host, port: Number(port) };
  const isPort = host !== undefined || /^\d+$/.test(text);
  const range = isPort ? "; the highest port is 65535" : "";
  const fix = `write host and port, such as 127.0.0.1:7433 or [::1]:7433${range}`;
  setting.refuse(`is not an address: ${JSON.stringify(value)}`, fix);
  return { host: "127.0.0.1", port: 0 };
}
