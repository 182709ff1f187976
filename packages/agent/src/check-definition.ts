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

/** The fields of a definition, and whether it can do without them. */
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
  description: optional(anyText),
  dataSchema: optional(jsonObject),
  capabilitySchemaVersion: optional(text),
  minOrchestratorVersion: optional(anyText),
};

/** What an agent is started with beside its definition. */
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

/** What files of packs, and manifests, call the same. */
const otherNames: Readonly<Record<string, string>> = {
  packId: "pack",
  packVersion: "version",
  supportedTaskTypes: "taskTypes",
  providedTools: "tools",
  hubUrl: "hub",
  url: "hub",
  apiKey: "key",
};

/** All that `startAgent` takes, and what `serveAgent` takes besides; docs/how-to/write-an-agent.md lists them. */
export const optionNames = {
  start: [...Object.keys(definitionRules), ...Object.keys(optionRules)],
  serve: Object.keys(serveRules),
};

/** Throws `AgentError` for the first field that cannot be right, before anything is done with the definition. */
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
  const inCamels = unknown.replaceAll(/_+([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const meant = [otherNames[inCamels], inCamels].find((name) => name !== undefined && known.includes(name));
  const near = meant ?? nearest(inCamels, known);
  throw wrongOption(`${above}${unknown}`, `is no option${near ? `; did you mean ${above}${near}?` : ""}`);
}

function check(given: unknown, rules: Readonly<Record<string, Rule>>): void {
  if (!isRecord(given))
    throw wrongOption("definition", "must be an object with pack, version, taskTypes and run");
  for (const [path, rule] of Object.entries(rules)) {
    const wrong = rule(valueAt(given, path));
    if (wrong) throw wrongOption(`${path}${wrong.below}`, wrong.must);
  }
}

export function wrongOption(path: string, must: string): AgentError {
  const at = path === "definition" ? path : `definition.${path}`;
  return new AgentError("BATON-SDK-001", `${path} ${must}`, { at });
}

function valueAt(given: Readonly<Record<string, unknown>>, path: string): unknown {
  return path.split(".").reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), given);
}
