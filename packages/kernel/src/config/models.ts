import { didYouMean } from "../names.ts";
import type { Problem } from "../problem.ts";
import { fields, list, optional, required, type ValuesOf } from "./lists-and-fields.ts";
import { modelName } from "./model-agent.ts";
import { Reading } from "./reading.ts";
import { choice, flag, number, positiveDuration, text, whole } from "./shape.ts";

/** The models of a hub and who offers them (SAC-12). */
export interface ModelCatalogue {
  readonly providers: ReadonlyMap<string, ModelProvider>;
  readonly models: ReadonlyMap<string, CatalogueModel>;
}

export interface ModelProvider {
  readonly id: string;
  readonly kind: ProviderKind;
  /** Undefined: the public address of the kind. */
  readonly baseUrl?: string;
  /** The name of the environment variable with the key. */
  readonly keyEnv?: string;
  /** Calls at once. */
  readonly concurrency: number;
  readonly firstTokenMs: number;
  readonly silenceMs: number;
  readonly callMs: number;
}

const kinds = {
  anthropic: "anthropic",
  openai: "openai",
  "openai-compatible": "openai-compatible",
} as const;

export type ProviderKind = keyof typeof kinds;

export interface CatalogueModel {
  readonly id: string;
  readonly provider: string;
  /** Its name at the provider. */
  readonly model: string;
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  /** Whether the provider can enforce a JSON Schema on the answer. */
  readonly structuredOutput: boolean;
  /** Undefined: the cost of its calls is unknown. */
  readonly price?: ModelPrice;
}

/** US dollars per million tokens, which is millionths of a dollar per token. */
export interface ModelPrice {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
}

export type ModelsReading =
  | { readonly ok: true; readonly catalogue: ModelCatalogue }
  | { readonly ok: false; readonly problems: readonly Problem[] };

export const modelsLimits = {
  providers: 100,
  models: 1_000,
  concurrency: 512,
  timeoutMs: 86_400_000,
} as const;

const defaults = {
  concurrency: 8,
  firstTokenMs: 120_000,
  silenceMs: 60_000,
  callMs: 600_000,
  maxOutputTokens: 4_096,
} as const;

const providerId = text({
  most: 64,
  pattern: /^[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?$/,
  must: "be the id of a provider: letters, digits, hyphens and underscores",
  fix: "write it such as anthropic",
});

const baseUrl = text({
  most: 2_048,
  pattern: /^https?:\/\/[^\s/?#@\\]+(?:\/[^\s?#\\]*)?$/,
  must: "be an address that begins with http:// or https://, without a user name, query or fragment",
  fix: "write it such as http://127.0.0.1:11434/v1",
});

const variableName = text({
  most: 128,
  pattern: /^[A-Za-z_][A-Za-z0-9_]*$/,
  must: "be the name of an environment variable",
  fix: "write it such as ANTHROPIC_API_KEY; the key itself does not belong in a file",
});

const timeouts = fields({
  first_token: optional(positiveDuration, "Until the answer begins. 120s if left out."),
  silence: optional(positiveDuration, "Between two pieces of an answer. 60s if left out."),
  call: optional(positiveDuration, "For the whole call. 10m if left out."),
});

const providerFields = {
  id: required(providerId, "What models call it."),
  kind: required(
    choice("a kind of provider", kinds, "openai-compatible"),
    "Its protocol: anthropic (Messages), openai (Responses), openai-compatible (chat completions, as local servers speak it).",
  ),
  base_url: optional(
    baseUrl,
    "The address of its API, up to and with the version, such as https://api.anthropic.com/v1. The public one of the kind if left out; openai-compatible needs it.",
  ),
  key_env: optional(
    variableName,
    "The environment variable of the hub that has the key. openai-compatible may do without.",
  ),
  concurrency: optional(
    whole(1, modelsLimits.concurrency),
    "Calls at once; further ones wait.",
    defaults.concurrency,
  ),
  timeouts: optional(timeouts, "After which time a call is given up and tried again."),
};

const dollars = number({ least: 0, most: 1_000_000 });

const price = fields({
  input: required(dollars, "Input tokens."),
  cache_read: optional(dollars, "Input tokens read from the cache. As input if left out."),
  cache_write: optional(dollars, "Input tokens written to the cache. As input if left out."),
  output: required(dollars, "Output tokens, reasoning included."),
});

const modelFields = {
  id: required(modelName, "What packs call it."),
  provider: required(providerId, "The id of its provider."),
  model: optional(text({ most: 256 }), "Its name at the provider. The id if left out."),
  context_window: required(whole(1, 1_000_000_000), "Tokens that prompt and answer may have together."),
  max_output_tokens: optional(
    whole(1, 10_000_000),
    "Tokens of one answer, unless the pack says less.",
    defaults.maxOutputTokens,
  ),
  structured_output: optional(
    flag,
    "Whether the provider enforces a JSON Schema on the answer of this model.",
    false,
  ),
  price: optional(
    price,
    "US dollars per million tokens. Without it the hub counts tokens and reports that the cost is unknown.",
  ),
};

/** `config/models.yaml`. */
export const modelsShape = fields(
  {
    providers: required(
      list(fields(providerFields), {
        ...{ least: 1, most: modelsLimits.providers },
        example: "an id and a kind, after a hyphen",
      }),
      "Who offers models.",
    ),
    models: required(
      list(fields(modelFields), {
        ...{ least: 1, most: modelsLimits.models },
        example: "an id and its provider, after a hyphen",
      }),
      "The models that packs may name.",
    ),
  },
  "Models",
);

/** Reads the content of the file, and reports all problems. */
export function readModels(content: unknown): ModelsReading {
  const file = new Reading(content);
  const given = modelsShape.read(file);
  const providers = new Map<string, ModelProvider>();
  const providerReadings = file.at("providers").items();
  for (const [index, one] of given.providers.entries()) {
    const reading = providerReadings[index] ?? file;
    if (one.id !== "" && providers.has(one.id))
      reading.at("id").reportInconsistent(`"${one.id}" is there already`, "choose another id");
    providers.set(one.id, buildProvider(one, reading));
  }
  const models = new Map<string, CatalogueModel>();
  const modelReadings = file.at("models").items();
  for (const [index, one] of given.models.entries()) {
    const reading = modelReadings[index] ?? file;
    if (one.id !== "" && models.has(one.id))
      reading.at("id").reportInconsistent(`"${one.id}" is there already`, "choose another id");
    const known = [...providers.keys()];
    if (one.provider !== "" && !providers.has(one.provider))
      reading
        .at("provider")
        .reportInconsistent(
          `there is no provider "${one.provider}"`,
          `${didYouMean(one.provider, known)}use one of: ${known.join(", ")}`,
        );
    models.set(one.id, buildModel(one, reading));
  }
  if (file.problems.length > 0) return { ok: false, problems: file.problems };
  return { ok: true, catalogue: { providers, models } };
}

function buildProvider(given: ValuesOf<typeof providerFields>, reading: Reading): ModelProvider {
  const { id, kind, base_url: baseUrl, key_env: keyEnv, concurrency } = given;
  const { first_token: first, silence, call } = given.timeouts ?? {};
  if (kind === "openai-compatible" && baseUrl === undefined)
    reading.reportInconsistent("has no base_url", "add it: openai-compatible has no public address");
  if (kind !== "openai-compatible" && keyEnv === undefined)
    reading.reportInconsistent("has no key_env", `add it: ${kind} needs the variable with its key`);
  for (const [name, ms] of Object.entries({ first_token: first, silence, call }))
    if (ms !== undefined && ms > modelsLimits.timeoutMs)
      reading.at("timeouts").at(name).reportInconsistent("must be at most 1d", "write it such as 10m");
  return {
    ...{ id, kind, concurrency },
    ...(baseUrl !== undefined && { baseUrl: baseUrl.replace(/\/+$/, "") }),
    ...(keyEnv !== undefined && { keyEnv }),
    firstTokenMs: first ?? defaults.firstTokenMs,
    silenceMs: silence ?? defaults.silenceMs,
    callMs: call ?? defaults.callMs,
  };
}

function buildModel(given: ValuesOf<typeof modelFields>, reading: Reading): CatalogueModel {
  const { id, provider, model = id, context_window: contextWindow, price } = given;
  const { max_output_tokens: maxOutputTokens, structured_output: structuredOutput } = given;
  if (maxOutputTokens > contextWindow)
    reading
      .at("max_output_tokens")
      .reportInconsistent("is more than the context window", "lower it, or raise context_window");
  return {
    ...{ id, provider, model, contextWindow, maxOutputTokens, structuredOutput },
    ...(price && {
      price: {
        ...{ input: price.input, output: price.output },
        ...{ cacheRead: price.cache_read ?? price.input, cacheWrite: price.cache_write ?? price.input },
      },
    }),
  };
}
