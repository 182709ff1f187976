import { nearest } from "@baton/contract";
import { AgentError } from "./agent-error.ts";
import { limits } from "./limits.ts";
import {
  anyText,
  callback,
  duration,
  flag,
  isRecord,
  jsonObject,
  listOf,
  nonEmpty,
  oneOf,
  optional,
  type Rule,
  task,
  text,
  wholeNumber,
} from "./option-rules.ts";

const riskTiers = ["low", "normal", "critical"];
const roles = ["researcher", "architect", "developer", "reviewer"];

const definitionRules: Readonly<Record<string, Rule>> = {
  pack: text,
  version: text,
  taskTypes: nonEmpty(listOf(text)),
  run: task,
  tools: optional(listOf(text)),
  requiredTools: optional(listOf(text)),
  ownerDomains: optional(listOf(text)),
  supportedSchemaVersions: optional(nonEmpty(listOf(text))),
  acceptedRiskTiers: optional(nonEmpty(listOf(oneOf(riskTiers)))),
  safetyTier: optional(oneOf(riskTiers)),
  role: optional(oneOf(roles)),
  capacity: optional(wholeNumber(1, limits.capacity)),
  maxConcurrentTasks: optional(wholeNumber(1, 2 ** 31 - 1)),
  maxTaskDurationMs: optional(wholeNumber(1, Number.MAX_SAFE_INTEGER)),
  health: optional(callback),
  digests: optional(callback),
  description: optional(anyText),
  dataSchema: optional(jsonObject),
  capabilitySchemaVersion: optional(text),
  minOrchestratorVersion: optional(anyText),
};

const optionRules: Readonly<Record<string, Rule>> = {
  hub: optional(anyText),
  key: optional(anyText),
  instanceId: optional(text),
  onProblem: optional(callback),
  handleSignals: optional(flag),
  giveUpAfterMs: optional(duration),
};

const serveRules: Readonly<Record<string, Rule>> = {
  register: optional(flag),
  "listen.host": optional(text),
  "listen.port": optional(wholeNumber(0, 65_535)),
  "listen.transport": optional(oneOf(["grpc", "http-json"])),
  "listen.token": optional(text),
  "listen.uri": optional(text),
};

/** The names of the same options in pack files and manifests. */
const aliases: Readonly<Record<string, string>> = {
  packId: "pack",
  packVersion: "version",
  supportedTaskTypes: "taskTypes",
  providedTools: "tools",
  hubUrl: "hub",
  url: "hub",
  apiKey: "key",
};

/** The options of `startAgent`, and those that `serveAgent` adds. docs/how-to/write-an-agent.md lists them. */
export const optionNames = {
  start: [...Object.keys(definitionRules), ...Object.keys(optionRules)],
  serve: Object.keys(serveRules),
};

/** Throws `AgentError` for the first invalid field. */
export function checkDefinition(definition: object): void {
  check(definition, definitionRules);
}

/** As above, with everything that an agent is started with. */
export function checkOptions(options: object): void {
  check(options, { ...definitionRules, ...optionRules });
  refuseUnknown(options, optionNames.start);
}

/** As above, with where it listens. */
export function checkServeOptions(options: object): void {
  check(options, { ...definitionRules, ...optionRules, listen: optional(jsonObject), ...serveRules });
  refuseUnknown(options, [...optionNames.start, "listen", "register"]);
  const { listen } = options as { readonly listen?: object };
  const ofListen = optionNames.serve.flatMap((name) => /^listen\.(.+)$/.exec(name)?.[1] ?? []);
  if (listen) refuseUnknown(listen, ofListen, "listen.");
}

/** An option that nobody reads would be believed to hold. */
function refuseUnknown(given: object, known: readonly string[], above = ""): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const camelCased = unknown.replaceAll(/_+([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const meant = [aliases[camelCased], camelCased].find((name) => name !== undefined && known.includes(name));
  const near = meant ?? nearest(camelCased, known);
  throw invalidOption(
    `${above}${unknown}`,
    `is not an option${near ? `; did you mean ${above}${near}?` : ""}`,
  );
}

function check(given: unknown, rules: Readonly<Record<string, Rule>>): void {
  if (!isRecord(given))
    throw invalidOption("definition", "must be an object with pack, version, taskTypes and run");
  for (const [path, rule] of Object.entries(rules)) {
    const mistake = rule(valueAt(given, path));
    if (mistake) throw invalidOption(`${path}${mistake.below}`, mistake.must);
  }
}

export function invalidOption(path: string, must: string): AgentError {
  const at = path === "definition" ? path : `definition.${path}`;
  return new AgentError("BATON-SDK-001", `${path} ${must}`, { at });
}

function valueAt(given: Readonly<Record<string, unknown>>, path: string): unknown {
  return path.split(".").reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), given);
}
