/**
 * Gemini CLI: `gemini --output-format stream-json` with the prompt on standard input. It prints a JSON object a line:
 * `init`, then `message` (in pieces), `tool_use` and `tool_result`, and `result` with the tokens at the end.
 *
 * An allow list becomes the tools that run without permission; nobody gives permissions in this mode, so others do not run,
 * except those that only read. It has no deny list: a task with one gets the narrowest mode, which only reads.
 */
import { type RunAgentResponse, type TaskEnvelope, ToolStatus } from "@baton/contract";
import type { JsonObject } from "@bufbuild/protobuf";
import { countOf, objectOf, textOf } from "./json-line.ts";
import type { Preset } from "./preset.ts";
import { PresetTranslator } from "./preset-translator.ts";
import { leftOut, oneRules } from "./tool-rules.ts";

export const gemini: Preset = {
  program: "gemini",
  restrained: false,
  argumentsFor: (envelope, { model }) => [
    ...["--output-format", "stream-json", "--skip-trust", ...permissionsOf(envelope)],
    ...(model === undefined ? [] : ["--model", model]),
  ],
  leftOut: ({ safety }) => leftOut(safety?.toolDenylist.length ? [] : (safety?.toolAllowlist ?? [])),
  home: {
    read: [
      ".gemini/settings.json",
      ".gemini/GEMINI.md",
      ".gemini/google_accounts.json",
      ".gemini/installation_id",
    ],
    write: [".gemini/oauth_creds.json"],
  },
  // It has no command for the login status.
  signIn: {
    variables: ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_GCA"],
    isMissing: /please set an auth method|authentication cancelled|cached credentials are not valid/i,
    fix: 'start "gemini" once and sign in as the user of the hub, or name GEMINI_API_KEY in pass_env of the pack',
  },
  translator: (narrator) => new GeminiTranslator(narrator),
};

function permissionsOf({ safety }: TaskEnvelope): readonly string[] {
  const { toolAllowlist = [], toolDenylist = [] } = safety ?? {};
  if (toolDenylist.length > 0) return ["--approval-mode", "plan"];
  if (toolAllowlist.length === 0) return ["--approval-mode", "auto_edit"];
  return ["--approval-mode", "default", "--allowed-tools", oneRules(toolAllowlist).join(",")];
}

class GeminiTranslator extends PresetTranslator {
  #isBroken = false;

  protected override readObject(entry: JsonObject): readonly RunAgentResponse[] {
    switch (entry.type) {
      case "message":
        return entry.role === "assistant" ? this.#say(textOf(entry.content)) : [];
      case "tool_use": {
        const tool = textOf(entry.tool_name);
        this.actions.push(tool);
        // The next message begins another turn: the last word of this one is published at once.
        const end = this.#isBroken || this.thought === "" ? [] : this.narrator.think("\n");
        this.#isBroken = true;
        return [
          ...end,
          ...this.narrator.invoke(textOf(entry.tool_id), tool, objectOf(entry.parameters) ?? {}),
        ];
      }
      case "tool_result": {
        this.observation += textOf(entry.output);
        const status = entry.status === "success" ? ToolStatus.SUCCESS : ToolStatus.FAILURE;
        return this.narrator.complete(textOf(entry.tool_id), status);
      }
      case "error":
        if (entry.severity !== "warning") this.fault = textOf(entry.message);
        return [];
      case "result":
        return this.#end(entry);
      default:
        return [];
    }
  }

  /** A message after tool results begins another turn. */
  #say(text: string) {
    const before = this.#isBroken ? this.endTurn() : [];
    if (this.#isBroken) this.answer = "";
    this.#isBroken = false;
    this.thought += text;
    this.answer += text;
    return [...before, ...this.narrator.think(text)];
  }

  #end(entry: JsonObject) {
    const messages = this.endTurn();
    const stats = objectOf(entry.stats) ?? {};
    this.usage = {
      inputTokens: BigInt(countOf(stats.input_tokens)),
      outputTokens: BigInt(countOf(stats.output_tokens)),
      costUnknown: countOf(stats.input_tokens) + countOf(stats.output_tokens) > 0,
      steps: this.narrator.steps,
    };
    if (entry.status !== "success") {
      this.fault = textOf(objectOf(entry.error)?.message) || (this.fault ?? "it says that it failed");
    }
    this.isDone = true;
    return messages;
  }
}
