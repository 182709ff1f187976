import type { Problem } from "../problem.ts";
import { fields, list, optional, required, type ValuesOf } from "./lists-and-fields.ts";
import { Reading } from "./reading.ts";
import { choice, flag, number, text, whole } from "./shape.ts";
import { buildModelTools, modelToolsShape, type ToolSource } from "./tools/model-tools.ts";

/** A prompt and a model that do the tasks of a pack (SACP §3). */
export interface ModelAgent {
  /** A name in `config/models.yaml`. */
  readonly model: string;
  /** Tried in this order when the model before cannot be used. */
  readonly fallbackModels: readonly string[];
  /** The author's part of the prompt; once the files are read, also when it is in a file. */
  readonly systemPrompt?: string;
  /** Relative to the pack's folder, and inside it. */
  readonly systemPromptFile?: string;
  /** Whether the answer follows SACP §2; otherwise its text is the message of a success. */
  readonly usesProtocol: boolean;
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly seed?: number;
  readonly reasoning?: Reasoning;
  readonly maxOutputTokens?: number;
  /** How often an answer whose data breaks its schema goes back to the model. */
  readonly maxCorrections: number;
  /** What the model may call (SACP §8). */
  readonly tools: readonly ToolSource[];
}

export type Reasoning = "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";

const reasonings: Readonly<Record<Reasoning, Reasoning>> = {
  ...{ none: "none", minimal: "minimal", low: "low", medium: "medium", high: "high" },
  ...{ xhigh: "xhigh", max: "max" },
};

export const modelAgentLimits = {
  promptBytes: 1024 * 1024,
  corrections: 5,
  /** When the pack says nothing. */
  defaultCorrections: 1,
  fallbackModels: 8,
  nameLength: 256,
  pathLength: 4_096,
} as const;

/** A name in `config/models.yaml`, as `models.ts` allows them. */
export const modelName = text({
  most: modelAgentLimits.nameLength,
  pattern: /^[A-Za-z0-9](?:[A-Za-z0-9._:/-]*[A-Za-z0-9])?$/,
  must: "be the name of a model: letters, digits and . _ : / -",
  fix: "write it such as claude-sonnet",
});

const insideFolder = text({
  most: modelAgentLimits.pathLength,
  pattern: /^(?!\/)(?!(.*\/)?\.{1,2}(\/|$))[^\0\\]+$/,
  must: "be a path below the folder of this file, without . and ..",
  fix: "write it such as prompt.md",
});

const modelFields = {
  model: required(modelName, "The model that does the tasks, by its id in config/models.yaml."),
  fallback_models: optional(
    list(modelName, { most: modelAgentLimits.fallbackModels }),
    "Models that are tried in this order when the one before is overloaded, unknown or not reachable.",
  ),
  system_prompt: optional(
    text({ most: modelAgentLimits.promptBytes }),
    "What the agent is and how it works. The hub appends the response protocol and the schema of the data. Either this or `system_prompt_file`.",
  ),
  system_prompt_file: optional(
    insideFolder,
    "The same in a file of at most 1 MiB in this folder or below it. Either this or `system_prompt`.",
  ),
  use_standard_protocol: optional(
    flag,
    "Whether the model is asked for an answer by SACP §2, with status and data. The same as `response_format: json_standard`.",
  ),
  response_format: optional(
    choice("a format of responses", { json_standard: "json_standard", text: "text" } as const, "text"),
    "`json_standard` appends the protocol of SACP §3.1 to the prompt. With `text` the answer is the message of a success and has no data. text if left out.",
  ),
  temperature: optional(
    number({ least: 0, most: 2 }),
    "Sampling temperature. That of the provider if left out.",
  ),
  top_p: optional(number({ least: 0, most: 1 }), "Nucleus sampling. That of the provider if left out."),
  top_k: optional(whole(1, 1_000_000), "Sample only from so many most likely tokens."),
  seed: optional(whole(0), "For models that can answer the same again."),
  reasoning: optional(
    choice<Reasoning>("an effort of reasoning", reasonings, "medium"),
    "How much the model reasons before it answers. As the provider decides if left out.",
  ),
  max_output_tokens: optional(
    whole(1, 10_000_000),
    "Tokens of one answer, reasoning included. The model's max_output_tokens if left out.",
  ),
  max_corrections: optional(
    whole(0, modelAgentLimits.corrections),
    "How often an answer whose data breaks its schema goes back to the model with all violations.",
    modelAgentLimits.defaultCorrections,
  ),
  tools: optional(modelToolsShape, "What the model may call: programs, addresses and MCP servers.", []),
};

export const modelAgentShape = fields(modelFields, "Model agent");

export type ModelAgentReading =
  | { readonly ok: true; readonly model: ModelAgent }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Reads the `model` section of a pack, for agents that are started from code. */
export function readModelAgent(content: unknown): ModelAgentReading {
  const reading = new Reading(content);
  const model = buildModelAgent(modelAgentShape.read(reading), reading);
  return reading.problems.length > 0 ? { ok: false, problems: reading.problems } : { ok: true, model };
}

/** Checks the rules between fields, which the schema cannot express. */
export function buildModelAgent(given: ValuesOf<typeof modelFields>, reading: Reading): ModelAgent {
  const { system_prompt: systemPrompt, system_prompt_file: systemPromptFile } = given;
  if ((systemPrompt === undefined) === (systemPromptFile === undefined)) {
    const message = systemPrompt === undefined ? "has no system prompt" : "has two system prompts";
    reading.reportInconsistent(message, "give either system_prompt or system_prompt_file");
  }
  if (systemPrompt !== undefined && byteLength(systemPrompt) > modelAgentLimits.promptBytes)
    reading.at("system_prompt").reportInconsistent("is larger than 1 MiB", "shorten it");
  const { use_standard_protocol: flagged, response_format: format } = given;
  const isContradictory =
    flagged !== undefined && format !== undefined && flagged !== (format === "json_standard");
  if (isContradictory)
    reading
      .at("use_standard_protocol")
      .reportInconsistent(`contradicts response_format: ${format}`, "leave one of them out");
  const models = [given.model, ...(given.fallback_models ?? [])];
  for (const [index, item] of reading.at("fallback_models").items().entries())
    if (models.indexOf(given.fallback_models?.[index] ?? "") <= index)
      item.reportInconsistent("is tried before already", "leave it out");
  const {
    temperature,
    top_p: topP,
    top_k: topK,
    seed,
    reasoning,
    max_output_tokens: maxOutputTokens,
  } = given;
  return {
    model: given.model,
    fallbackModels: given.fallback_models ?? [],
    ...(systemPrompt !== undefined && { systemPrompt }),
    ...(systemPromptFile !== undefined && { systemPromptFile }),
    usesProtocol: flagged === true || format === "json_standard",
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(topK !== undefined && { topK }),
    ...(seed !== undefined && { seed }),
    ...(reasoning !== undefined && { reasoning }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    maxCorrections: given.max_corrections,
    tools: buildModelTools(given.tools, reading.at("tools")),
  };
}

/** Of UTF-8; the kernel has no encoder. */
export function byteLength(value: string): number {
  let bytes = 0;
  for (const character of value) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
