import { parseArgs } from "node:util";
import type { ConfigProblem } from "../files/problem.ts";
import { Setting } from "./setting.ts";

/** Settings of the command line, the environment and the file, in this order of precedence. */
export const options = {
  config: { value: "FILE", purpose: "configuration file" },
  project: {
    value: "FOLDER",
    purpose: "folder with config/, packs/ and workflows/; default: the working folder",
  },
  data: { value: "FOLDER", purpose: "data folder; :memory: stores nothing on disk" },
  "store-key": {
    value: "FILE",
    purpose: "encryption key of the store; default: baton.key in the data folder",
  },
  grpc: { value: "HOST:PORT", purpose: "gRPC address" },
  http: { value: "HOST:PORT", purpose: "HTTP/1.1 address" },
  keys: { value: "FILE", purpose: "API keys of the callers" },
  "routing-policy": { value: "FILE", purpose: "which packs may take which tasks" },
  "pipeline-templates": { value: "FILE", purpose: "templates that runs are started from" },
  "redaction-policy": { value: "FILE", purpose: "what must not appear in records, traces and metrics" },
  "spend-limits": { value: "FILE", purpose: "what each tenant may spend a day and a month" },
  webhooks: { value: "FILE", purpose: "who is sent results and notifications" },
  models: { value: "FILE", purpose: "models that packs may name, and their providers" },
  guardrails: { value: "FILE", purpose: "what is checked of answers before others see them" },
  constitution: { value: "FILE", purpose: "what governed tasks and their answers are checked against" },
  packs: { value: "FOLDER", purpose: "packs, each a folder with a profession-pack.yaml" },
  workflows: { value: "FOLDER", purpose: "workflows, each a YAML file" },
  "audit-folder": { value: "FOLDER", purpose: "folder for copies of the audit record, one file per run" },
  mode: { value: "MODE", purpose: "dev or production: how strict the hub is" },
  "log-level": { value: "LEVEL", purpose: "trace, debug, info, warn, error, fatal or silent" },
  grace: { value: "DURATION", purpose: "time for running work to finish at shutdown" },
} as const;

export type OptionName = keyof typeof options;

/** `--routing-policy` is `BATON_ROUTING_POLICY` in the environment and `routing_policy` in the file. */
export function variableOf(name: OptionName): string {
  return `BATON_${name.replaceAll("-", "_").toUpperCase()}`;
}

export function keyOf(name: OptionName): string {
  return name.replaceAll("-", "_");
}

/** The settings of the command line and the environment. */
export function readOverrides(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  problems: ConfigProblem[],
): ReadonlyMap<OptionName, Setting> {
  const settings = new Map<OptionName, Setting>();
  for (const name of names()) {
    const variable = variableOf(name);
    if (env[variable]) settings.set(name, new Setting(env[variable], () => variable, problems));
  }
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(names().map((name) => [name, { type: "string" as const }])),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  for (const token of tokens) {
    const at = token.kind === "option" ? token.rawName : token.kind === "positional" ? token.value : "--";
    const name = names().find((known) => token.kind === "option" && token.name === known);
    if (name !== undefined && token.kind === "option" && token.value) {
      settings.set(name, new Setting(token.value, () => at, problems));
      continue;
    }
    const message = name === undefined ? `"${at}" is not known` : `"${at}" needs a value`;
    const fix = name === undefined ? "see --help for the options" : `write ${at} ${options[name].value}`;
    problems.push({ code: "BATON-SERVER-011", at: "the command line", message, fix });
  }
  return settings;
}

export function names(): readonly OptionName[] {
  return Object.keys(options).filter((name): name is OptionName => name in options);
}

export function describeOptions(): string {
  const rows = names().map((name) => {
    const { value, purpose } = options[name];
    return `  ${`--${name} ${value}`.padEnd(28)}${purpose} (${variableOf(name)})`;
  });
  return [
    "baton-server  the hub behind its API",
    "",
    ...rows,
    `  ${"--version".padEnd(28)}print the version`,
    `  ${"--help".padEnd(28)}print this help`,
    "",
    `  ${"key make".padEnd(30)}make a key and its entry for the key file`,
    `  ${"project check [FOLDER]".padEnd(30)}print the problems of a project's files as JSON`,
    `  ${"project init [FOLDER]".padEnd(30)}write a commented starter configuration; overwrites nothing`,
    `  ${"store backup [--data F] PATH".padEnd(30)}copy the store and its key; works while the hub runs`,
    `  ${"store check [--data F]".padEnd(30)}check the store for damage`,
    `  ${"audit verify [--data F]".padEnd(30)}verify the audit record`,
    "",
    "See docs/reference/server.md for all options and the configuration file.",
  ].join("\n");
}
