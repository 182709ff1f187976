import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { CatalogueModel, ModelCatalogue, ModelProvider } from "@baton/kernel";
import type { LanguageModel } from "ai";
import pLimit, { type LimitFunction } from "p-limit";
import { skipUnknownEvents } from "./skip-unknown-events.ts";

/** A model that can be called. */
export interface OpenModel {
  readonly model: CatalogueModel;
  readonly provider: ModelProvider;
  readonly languageModel: LanguageModel;
  /** Shared by all models of the provider. */
  readonly queue: LimitFunction;
  /** The variable with the key, which is not set. */
  readonly missingKey: string | undefined;
}

/** The SDK prints warnings about models that it does not know. */
Reflect.set(globalThis, "AI_SDK_LOG_WARNINGS", false);

/** Opens the models of a catalogue. `variables` has the keys by the names of their variables. */
export function openModels(
  { providers, models }: ModelCatalogue,
  variables: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, OpenModel> {
  const opened = new Map([...providers].map(([id, provider]) => [id, openProvider(provider, variables)]));
  return new Map(
    [...models].flatMap(([id, model]) => {
      const known = opened.get(model.provider);
      if (known === undefined) return [];
      const { provider, queue, missingKey, languageModel } = known;
      return [[id, { model, provider, queue, missingKey, languageModel: languageModel(model.model) }]];
    }),
  );
}

function openProvider(
  provider: ModelProvider,
  variables: Readonly<Record<string, string | undefined>>,
): Pick<OpenModel, "provider" | "queue" | "missingKey"> & {
  readonly languageModel: (name: string) => LanguageModel;
} {
  const { keyEnv, concurrency } = provider;
  const key = keyEnv === undefined ? undefined : variables[keyEnv] || undefined;
  const missingKey = key === undefined ? keyEnv : undefined;
  return { provider, queue: pLimit(concurrency), missingKey, languageModel: clientOf(provider, key) };
}

/** The key is always passed, so that no package looks for one in the environment. */
function clientOf(
  { id, kind, baseUrl }: ModelProvider,
  key: string | undefined,
): (name: string) => LanguageModel {
  const common = { ...(baseUrl !== undefined && { baseURL: baseUrl }), apiKey: key ?? "none" };
  switch (kind) {
    case "anthropic":
      return createAnthropic({ ...common, fetch: skipUnknownEvents(isAnthropicEvent) });
    case "openai":
      return createOpenAI(common);
    case "openai-compatible":
      return createOpenAICompatible({
        ...{ name: id, baseURL: baseUrl ?? "", includeUsage: true, supportsStructuredOutputs: true },
        ...(key !== undefined && { apiKey: key }),
        fetch: skipUnknownEvents(isChatEvent),
      });
  }
}

const anthropicTypes = new Set([
  ...["message_start", "message_delta", "message_stop", "ping", "error"],
  ...["content_block_start", "content_block_delta", "content_block_stop"],
]);

/** The type stands before anything that could contain another `"type"`. */
function isAnthropicEvent(event: string): boolean {
  const [, type = ""] = /^event: *(\S+)/m.exec(event) ?? /"type"\s*:\s*"([^"]*)"/.exec(event) ?? [];
  return anthropicTypes.has(type);
}

function isChatEvent(event: string): boolean {
  return /"choices"|"error"|\[DONE\]/.test(event);
}
