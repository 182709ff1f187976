/**
 * Codex: `codex exec --json -`. It prints a JSON object a line: `thread.started`, `turn.started`, then `item.started` and
 * `item.completed` for what it thinks, says and does, and `turn.completed` with the tokens or `turn.failed`.
 *
 * It has no tool lists: its sandbox decides what it may do. So a task with an allow or deny list gets the narrowest one, in
 * which nothing can be written.
 */
import { type RunAgentResponse, type TaskEnvelope, ToolStatus } from "@baton/contract";
import type { JsonObject } from "@bufbuild/protobuf";
import { countOf, objectOf, objectsOf, textOf } from "./json-line.ts";
import type { Preset } from "./preset.ts";
import { PresetTranslator } from "./preset-translator.ts";

export const codex: Preset = {
  program: "codex",
  restrained: false,
  argumentsFor: (envelope, { model }) => [
    ...["exec", "--json", "--skip-git-repo-check", "--ephemeral", "--sandbox", sandboxOf(envelope)],
    ...(model === undefined ? [] : ["--model", model]),
    "-",
  ],
  home: { read: [".codex/config.toml", ".codex/AGENTS.md"], write: [".codex/auth.json"] },
  signIn: {
    status: ["login", "status"],
    variables: ["CODEX_API_KEY", "OPENAI_API_KEY"],
    isMissing: /not logged in|401 unauthorized/i,
    fix: 'run "codex login" as the user of the hub, or name CODEX_API_KEY in pass_env of the pack',
  },
  translator: (narrator) => new CodexTranslator(narrator),
};

function sandboxOf({ safety }: TaskEnvelope): string {
  const isLimited = (safety?.toolAllowlist.length ?? 0) > 0 || (safety?.toolDenylist.length ?? 0) > 0;
  return isLimited ? "read-only" : "workspace-write";
}

class CodexTranslator extends PresetTranslator {
  #input = 0;
  #output = 0;
  #cached = 0;

  protected override readObject(entry: JsonObject): readonly RunAgentResponse[] {
    const item = objectOf(entry.item);
    switch (entry.type) {
      case "item.started":
        return item ? this.#begin(item) : [];
      case "item.completed":
        return item ? this.#complete(item) : [];
      case "turn.completed":
        this.#spend(objectOf(entry.usage) ?? {});
        this.isDone = true;
        return this.endTurn();
      case "turn.failed":
        this.fault = textOf(objectOf(entry.error)?.message);
        this.isDone = true;
        return this.endTurn();
      case "error":
        this.fault = textOf(entry.message);
        return [];
      default:
        return [];
    }
  }

  #begin(item: JsonObject) {
    const tool = toolOf(item);
    if (tool === undefined) return [];
    this.actions.push(tool);
    return this.narrator.invoke(textOf(item.id), tool, argumentsOf(item));
  }

  #complete(item: JsonObject) {
    const text = textOf(item.text);
    if (item.type === "reasoning") return this.think(text);
    if (item.type === "agent_message") {
      this.answer = text;
      return this.think(text);
    }
    if (toolOf(item) === undefined) return [];
    // Some items are reported only when they are over.
    const begun = this.#begin(item);
    if (begun.length === 0) this.actions.pop();
    const failed = item.status === "failed" || item.status === "declined";
    this.observation += textOf(item.aggregated_output);
    return [
      ...begun,
      ...this.narrator.complete(textOf(item.id), failed ? ToolStatus.FAILURE : ToolStatus.SUCCESS),
    ];
  }

  /** Cached tokens are among the input tokens. */
  #spend(usage: JsonObject): void {
    this.#input += countOf(usage.input_tokens);
    this.#output += countOf(usage.output_tokens);
    this.#cached += Math.min(countOf(usage.cached_input_tokens), countOf(usage.input_tokens));
    this.usage = {
      inputTokens: BigInt(this.#input),
      outputTokens: BigInt(this.#output),
      cacheReadTokens: BigInt(this.#cached),
      costUnknown: this.#input + this.#output > 0,
      steps: this.narrator.steps,
    };
  }
}

function toolOf(item: JsonObject): string | undefined {
  switch (item.type) {
    case "command_execution":
      return "shell";
    case "file_change":
      return "edit";
    case "web_search":
      return "web_search";
    case "mcp_tool_call":
      return `${textOf(item.server)}.${textOf(item.tool)}`;
    default:
      return undefined;
  }
}

function argumentsOf(item: JsonObject): JsonObject {
  switch (item.type) {
    case "command_execution":
      return { command: unwrap(textOf(item.command)) };
    case "file_change":
      return { files: objectsOf(item.changes).map(({ path }) => textOf(path)) };
    case "web_search":
      return { query: textOf(item.query) };
    default:
      return objectOf(item.arguments) ?? {};
  }
}

/** It reports the shell that runs a line; the rules of the task apply to the line. */
function unwrap(command: string): string {
  const [, plain, single, double] =
    /^(?:\S*\/)?(?:ba|z|da)?sh -l?c (?:([^\s'"]+)|'(.*)'|"(.*)")$/s.exec(command) ?? [];
  return (
    plain ?? single?.replaceAll(/'\\''|'"'"'/g, "'") ?? double?.replaceAll(/\\(["\\$`])/g, "$1") ?? command
  );
}
