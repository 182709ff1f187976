import {
  type AgentDefinition,
  AgentError,
  type AgentOptions,
  type AttachedAgent,
  startAgent,
} from "@baton/agent";
import {
  createRedactor,
  type ModelAgent,
  type ModelCatalogue,
  type RedactionPolicy,
  readModelAgent,
  readModels,
  variablesOfTools,
} from "@baton/kernel";
import { findSandbox } from "@baton/runtime/guarded";
import { type ModelCalls, withCalls } from "../calls/replaced-calls.ts";
import { limits } from "../limits.ts";
import type { ModelPack, ModelParts } from "../loop/model-pack.ts";
import { runModelTask } from "../loop/run-model-task.ts";
import { type OpenModel, openModels } from "../providers/open-models.ts";
import { ruleFault } from "../tools/ask.ts";
import { openTools } from "../tools/open-tools.ts";
import type { ToolSurroundings } from "../tools/surroundings.ts";
import type { ModelTool } from "../tools/tool.ts";
import { digestsOf } from "./digests.ts";

/** An agent whose work is done by a model. */
export interface ModelAgentOptions extends Omit<AgentOptions, "run" | "tools"> {
  /** The content of a `config/models.yaml`. */
  readonly models: object;
  /** The `model` section of a pack. */
  readonly model: object;
  /** Functions of the program, besides the tools of the `model` section. */
  readonly tools?: readonly ModelTool[];
  /** The folder of the programs among the tools, for `{pack}`. Default: the current one. */
  readonly folder?: string;
  /** Keys of providers, by the names of their variables. Default: the environment. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
  /** Answers instead of the providers: a scripted model or recordings of `@baton/models/testing`. */
  readonly calls?: ModelCalls;
}

/** Attaches an agent whose work is done by a model, like `startAgent`. Throws `AgentError` for invalid options. */
export async function startModelAgent(options: ModelAgentOptions): Promise<AttachedAgent> {
  return startAgent(withModel(options));
}

/** The options of such an agent for `startAgent`, `serveAgent`, and `runAgent` of `@baton/agent/testing`. */
export function withModel({
  models,
  model,
  tools = [],
  folder = process.cwd(),
  variables = process.env,
  calls,
  ...options
}: ModelAgentOptions): AgentOptions {
  const catalogue = readModels(models);
  if (!catalogue.ok) throw invalid("models", catalogue.problems);
  const agent = readModelAgent(model);
  if (!agent.ok) throw invalid("model", agent.problems);
  const parts = openParts(agent.model, catalogue.catalogue, { tools, folder, variables, calls });
  return { ...options, ...runWith(agent.model, parts) };
}

/** What an agent of this model does. */
export function runWith(
  agent: ModelAgent,
  parts: ModelParts,
): Required<Pick<AgentDefinition, "run" | "tools" | "digests">> {
  const pack = packOf(agent);
  const digests = digestsOf(agent, parts);
  return {
    tools: parts.tools.map(({ name }) => name),
    digests: () => digests,
    run: (task) => runModelTask(task, pack, parts),
  };
}

interface PartsOptions {
  readonly tools: readonly ModelTool[];
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  /** Default: the best that hides the home and works here. */
  readonly sandbox?: ToolSurroundings["sandbox"] | undefined;
  readonly policy?: RedactionPolicy | undefined;
  readonly calls?: ModelCalls | undefined;
  /** Models that are open already: their limits on concurrent calls are shared. */
  readonly open?: ReadonlyMap<string, OpenModel>;
}

/** Throws `AgentError` for an unknown model, a prompt that is not there, or invalid tools. */
export function openParts(agent: ModelAgent, catalogue: ModelCatalogue, options: PartsOptions): ModelParts {
  const { variables, policy, calls, folder, sandbox = ownSandbox() } = options;
  const { open = openModels(catalogue, variables) } = options;
  const named = [...catalogue.providers.values()].flatMap(({ keyEnv }) => keyEnv ?? []);
  const keys = [...named, ...variablesOfTools(agent.tools)].flatMap((name) => variables[name] || []);
  const models = [agent.model, ...agent.fallbackModels].map((name) => {
    const model = open.get(name);
    if (model === undefined)
      throw new AgentError("BATON-SDK-001", `there is no model "${name}"`, {
        at: "model",
        fix: `use one of: ${[...open.keys()].join(", ")}`,
      });
    return calls ? withCalls(model, calls, keys) : model;
  });
  const opened = openTools(agent.tools, { sandbox, folder, variables });
  const tools = [...opened.tools, ...options.tools];
  checkTools(tools);
  return { models, tools, openServers: opened.openServers, redact: redactWith(keys, policy) };
}

/** Searched for once, when it is needed. */
function ownSandbox(): ToolSurroundings["sandbox"] {
  let found: ReturnType<typeof findSandbox> | undefined;
  return () => {
    found ??= findSandbox("auto");
    return found;
  };
}

function packOf(agent: ModelAgent): ModelPack {
  const { systemPrompt, usesProtocol, maxCorrections } = agent;
  if (systemPrompt === undefined)
    throw new AgentError("BATON-SDK-001", "the prompt of the model is in a file", {
      ...{ at: "model.system_prompt_file", fix: "read the file, and give its text as system_prompt" },
    });
  const { temperature, topP, topK, seed, reasoning, maxOutputTokens } = agent;
  const sampling = {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(topK !== undefined && { topK }),
    ...(seed !== undefined && { seed }),
    ...(reasoning !== undefined && { reasoning }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
  };
  return { systemPrompt, usesProtocol, maxCorrections, sampling };
}

const toolName = /^[A-Za-z0-9_-]{1,64}$/;

function checkTools(tools: readonly ModelTool[]): void {
  const refuse = (message: string, fix: string) => {
    throw new AgentError("BATON-SDK-001", message, { at: "tools", fix });
  };
  if (tools.length > limits.tools)
    refuse(`${tools.length} tools are more than ${limits.tools}`, "leave some out");
  for (const [index, tool] of tools.entries()) {
    const { name } = tool;
    const fault = ruleFault(tool);
    if (fault !== undefined) refuse(`the rule in ask of "${name}" cannot be used: ${fault}`, "correct it");
    if (!toolName.test(name)) refuse(`"${name}" cannot name a tool`, "use 1 to 64 letters, digits, _ and -");
    if (tools.findIndex((other) => other.name === name) < index)
      refuse(`two tools have the name "${name}"`, "rename one of them");
  }
}

/** Secrets and keys. Personal data stays: to work with it is often the task. */
function redactWith(keys: readonly string[], policy: RedactionPolicy | undefined): (text: string) => string {
  const usable = keys.filter((value) => createRedactor({ knownSecrets: [value] }).ok);
  const made = createRedactor({ knownSecrets: usable, ...(policy && { policy }) });
  if (!made.ok)
    throw new AgentError("BATON-SDK-001", "the redaction policy cannot be used", { at: "redaction policy" });
  return (text) => made.redactor.redactText(text, "secrets").text;
}

function invalid(
  option: string,
  problems: readonly { readonly at: string; readonly message: string; readonly fix: string }[],
): AgentError {
  const lines = problems.map(({ at, message }) => `${option}${at === "" ? "" : `.${at}`} ${message}`);
  const [first] = problems;
  return new AgentError("BATON-SDK-001", lines.join("; "), { at: option, ...(first && { fix: first.fix }) });
}
