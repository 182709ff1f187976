import { parseArgs } from "node:util";
import { Given } from "./given.ts";
import type { ConfigProblem } from "./problem.ts";

/** What can be said on the command line, in the environment and in the file; the first that says it holds. */
export const options = {
  config: { value: "FILE", purpose: "the configuration" },
  project: { value: "FOLDER", purpose: "where config/ and packs/ are; the working folder unless told" },
  data: {
    value: "FOLDER",
    purpose: "where everything is kept; :memory: keeps it until the end of the process",
  },
  "store-key": {
    value: "FILE",
    purpose: "the key that opens what is kept; baton.key in the folder unless told",
  },
  grpc: { value: "HOST:PORT", purpose: "where gRPC is spoken" },
  http: { value: "HOST:PORT", purpose: "where HTTP/1.1 is spoken" },
  keys: { value: "FILE", purpose: "the keys of those who may call" },
  "routing-policy": { value: "FILE", purpose: "which packs may take which tasks" },
  "pipeline-templates": { value: "FILE", purpose: "pipelines that can be made again and again" },
  "redaction-policy": { value: "FILE", purpose: "what must not appear in records, traces and metrics" },
  packs: { value: "FOLDER", purpose: "the packs, each a folder with a profession-pack.yaml" },
  "audit-folder": { value: "FOLDER", purpose: "where the audit record is also written, a file a pipeline" },
  mode: { value: "MODE", purpose: "dev or production: how strict the hub is" },
  "log-level": { value: "LEVEL", purpose: "trace, debug, info, warn, error, fatal or silent" },
  grace: { value: "DURATION", purpose: "how long what is under way has when the hub is told to stop" },
} as const;

export type OptionName = keyof typeof options;

/** `--routing-policy` is `BATON_ROUTING_POLICY` in the environment and `routing_policy` in the file. */
export function variableOf(name: OptionName): string {
  return `BATON_${name.replaceAll("-", "_").toUpperCase()}`;
}

export function keyOf(name: OptionName): string {
  return name.replaceAll("-", "_");
}

/** Everything that the command line and the environment say. */
export function readOutside(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  problems: ConfigProblem[],
): ReadonlyMap<OptionName, Given> {
  const said = new Map<OptionName, Given>();
  for (const name of names()) {
    const variable = variableOf(name);
    if (env[variable]) said.set(name, new Given(env[variable], () => variable, problems));
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
      said.set(name, new Given(token.value, () => at, problems));
      continue;
    }
    const message = name === undefined ? `"${at}" is not known` : `"${at}" wants a value`;
    const fix = name === undefined ? "--help lists what there is" : `write ${at} ${options[name].value}`;
    problems.push({ code: "BATON-SERVER-011", at: "the command line", message, fix });
  }
  return said;
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
    `  ${"--version".padEnd(28)}the version`,
    `  ${"--help".padEnd(28)}this text`,
    "",
    `  ${"key make".padEnd(30)}makes a key and its entry for the file of keys`,
    `  ${"project check [FOLDER]".padEnd(30)}says, as JSON, what is wrong with the files of a project`,
    `  ${"project init [FOLDER]".padEnd(30)}writes a commented starting set, over nothing that is there`,
    `  ${"store backup [--data F] PATH".padEnd(30)}copies what is kept there and its key, also while a hub runs`,
    `  ${"store check [--data F]".padEnd(30)}says what is wrong with it`,
    `  ${"audit verify [--data F]".padEnd(30)}checks the audit record in it`,
    "",
    "docs/reference/server.md explains each, and what the configuration may say besides.",
  ].join("\n");
}
