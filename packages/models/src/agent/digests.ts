import { hash } from "node:crypto";
import { canonicalJson } from "@baton/contract";
import type { ModelAgent } from "@baton/kernel";
import type { ModelParts } from "../loop/model-pack.ts";

/** Digests of prompt, model and tools, for the decisions to send tasks to this agent (SAC-12). No key is part of them. */
export function digestsOf(
  agent: ModelAgent,
  { models, tools }: ModelParts,
): Readonly<Record<string, string>> {
  const { systemPrompt = "", systemPromptFile: _, tools: sources, ...settings } = agent;
  const functions = tools.map(({ call: _call, ...definition }) => definition);
  return {
    prompt: digestOf(systemPrompt),
    model: digestOf([settings, models.map(({ model, provider }) => [model, provider])]),
    tools: digestOf([sources, functions]),
  };
}

function digestOf(value: unknown): string {
  return `sha256:${hash("sha256", canonicalJson(JSON.parse(JSON.stringify(value))))}`;
}
