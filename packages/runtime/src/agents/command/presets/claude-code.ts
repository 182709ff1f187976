/**
 * Claude Code: `claude -p --output-format stream-json --verbose`. It prints a JSON object a line: `system` first, then
 * `assistant` and `user` messages with the content blocks of the Messages API (text, thinking, tool_use, tool_result), and
 * `result` at the end, with the last text, the turns, the tokens and the cost.
 */
import { commandsOf, type RunAgentResponse, type TaskEnvelope, ToolStatus } from "@baton/contract";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { Usage } from "../translator.ts";
import { claudeRepositoryNotices } from "./claude-repository.ts";
import { countOf, objectOf, objectsOf, textOf } from "./json-line.ts";
import type { Preset } from "./preset.ts";
import { longestObservation, PresetTranslator } from "./preset-translator.ts";
import { leftOut, oneRules } from "./tool-rules.ts";

export const claudeCode: Preset = {
  program: "claude",
  restrained: true,
  argumentsFor: (envelope, { model, loadsRepository }) => [
    ...["-p", "--output-format", "stream-json", "--verbose", "--no-session-persistence"],
    // A writer of the repository must not run programs through it before a review.
    ...(loadsRepository ? [] : ["--setting-sources", "user", "--strict-mcp-config"]),
    ...permissionsOf(envelope),
    ...limitsOf(envelope),
    ...(model === undefined ? [] : ["--model", model]),
  ],
  leftOut: (envelope) => {
    const { allowed, denied } = rulesOf(envelope);
    return leftOut([...allowed, ...denied]);
  },
  repositoryNotices: claudeRepositoryNotices,
  home: {
    read: [
      ...[".claude.json", ".claude/settings.json", ".claude/CLAUDE.md", ".claude/hooks"],
      ...[".claude/agents", ".claude/commands", ".claude/skills", ".claude/plugins", ".claude/rules"],
    ],
    // It renews its login, which voids the previous one.
    write: [".claude/.credentials.json"],
  },
  signIn: {
    status: ["auth", "status"],
    variables: [
      ...["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
      ...["CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY"],
    ],
    isMissing: /"logged_?in":\s*false|not logged in|please run \/login|invalid api key/i,
    fix: 'run "claude auth login" as the user of the hub, or name ANTHROPIC_API_KEY in pass_env of the pack',
  },
  translator: (narrator) => new ClaudeTranslator(narrator),
};

/**
 * With an allow list there are no other tools. Without one, it may read and edit in its folder and run the commands of the
 * contract; everything else needs a permission that nobody gives here. An ambiguous rule is left out: an allowed tool is missing
 * then, and a prohibited action is enforced by the hub alone.
 */
function permissionsOf(envelope: TaskEnvelope): readonly string[] {
  const { hasAllowlist, ...rules } = rulesOf(envelope);
  const [allowed, denied] = [oneRules(rules.allowed), oneRules(rules.denied)];
  const names = new Set(allowed.map((rule) => rule.replace(/\(.*$/s, "")));
  return [
    ...(hasAllowlist
      ? ["--permission-mode", "dontAsk", "--tools", [...names].join(",")]
      : ["--permission-mode", "acceptEdits"]),
    ...(allowed.length === 0 ? [] : ["--allowedTools", allowed.join(",")]),
    ...(denied.length === 0 ? [] : ["--disallowedTools", denied.join(",")]),
  ];
}

function rulesOf({ safety, contract }: TaskEnvelope) {
  const { toolAllowlist = [], toolDenylist = [], prohibitedActions = [] } = safety ?? {};
  const commands = commandsOf(contract?.environment).map(([, command]) => `Bash(${command})`);
  const hasAllowlist = toolAllowlist.length > 0;
  const denied = [
    ...toolDenylist,
    ...prohibitedActions.flatMap((action) => [`Bash(${action})`, `Bash(${action} *)`]),
  ];
  return { hasAllowlist, allowed: hasAllowlist ? toolAllowlist : commands, denied };
}

function limitsOf({ safety, execution }: TaskEnvelope): readonly string[] {
  const steps = [safety?.maxAutonomousSteps ?? 0, execution?.budget?.maxSteps ?? 0].filter(
    (most) => most > 0,
  );
  const cost = execution?.budget?.maxCostMicroUsd;
  return [
    ...(steps.length === 0 ? [] : ["--max-turns", String(Math.min(...steps))]),
    ...(cost === undefined || cost <= 0n ? [] : ["--max-budget-usd", String(Number(cost) / 1_000_000)]),
  ];
}

class ClaudeTranslator extends PresetTranslator {
  #messageId = "";

  protected override readObject(entry: JsonObject): readonly RunAgentResponse[] {
    switch (entry.type) {
      case "assistant":
        return this.#onAssistant(objectOf(entry.message) ?? {});
      case "user":
        return this.#onToolResults(objectOf(entry.message) ?? {});
      case "result":
        return this.#onEnd(entry);
      default:
        return [];
    }
  }

  /** A message may come in several lines with its id, one block each. */
  #onAssistant(message: JsonObject) {
    const id = textOf(message.id);
    const before = id !== this.#messageId || id === "" ? this.endTurn() : [];
    this.#messageId = id;
    const now = objectsOf(message.content).flatMap((block) => {
      switch (block.type) {
        case "thinking":
          return this.think(textOf(block.thinking));
        case "text":
          this.answer = textOf(block.text);
          return this.think(this.answer);
        case "tool_use": {
          const tool = textOf(block.name);
          this.actions.push(tool);
          return this.narrator.invoke(textOf(block.id), tool, objectOf(block.input) ?? {});
        }
        default:
          return [];
      }
    });
    return [...before, ...now];
  }

  /** Tool results belong to the turn that called the tools. */
  #onToolResults({ content }: JsonObject) {
    return objectsOf(content)
      .filter(({ type }) => type === "tool_result")
      .flatMap((block) => {
        const failed = block.is_error === true;
        this.observation += `${this.observation === "" ? "" : "\n"}${contentText(block.content)}`;
        const status = failed ? ToolStatus.FAILURE : ToolStatus.SUCCESS;
        return this.narrator.complete(textOf(block.tool_use_id), status);
      });
  }

  protected override shorten(observation: string): string {
    return observation.slice(0, longestObservation);
  }

  #onEnd(entry: JsonObject) {
    const messages = this.endTurn();
    const usage = objectOf(entry.usage) ?? {};
    const read = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];
    this.usage = {
      inputTokens: BigInt(read.reduce((sum, name) => sum + countOf(usage[name]), 0)),
      outputTokens: BigInt(countOf(usage.output_tokens)),
      costMicroUsd: microUsd(entry.total_cost_usd),
      cacheReadTokens: BigInt(countOf(usage.cache_read_input_tokens)),
      cacheWriteTokens: BigInt(countOf(usage.cache_creation_input_tokens)),
      costUnknown: typeof entry.total_cost_usd !== "number",
      models: modelsOf(objectOf(entry.modelUsage) ?? {}),
      steps: this.narrator.steps,
    };
    if (typeof entry.result === "string") this.answer = entry.result;
    const subtype = textOf(entry.subtype);
    const limit = limitsReached[subtype];
    if (limit) this.answer = JSON.stringify(limit);
    else if (entry.is_error === true || subtype !== "success")
      this.fault = `${subtype} ${textOf(entry.result)}`.trim();
    this.isDone = true;
    return messages;
  }
}

function microUsd(usd: JsonValue | undefined): bigint {
  return BigInt(countOf(Number(usd ?? 0) * 1_000_000));
}

/** By model: tokens and cost. It does not count calls. */
function modelsOf(models: JsonObject): NonNullable<Usage["models"]> {
  return Object.entries(models)
    .slice(0, 64)
    .map(([model, value]) => {
      const spent = objectOf(value) ?? {};
      const [cacheRead, cacheWrite] = [spent.cacheReadInputTokens, spent.cacheCreationInputTokens].map(
        countOf,
      );
      return {
        provider: "anthropic",
        model: model.slice(0, 256) || "unnamed",
        inputTokens: BigInt(countOf(spent.inputTokens) + (cacheRead ?? 0) + (cacheWrite ?? 0)),
        outputTokens: BigInt(countOf(spent.outputTokens)),
        cacheReadTokens: BigInt(cacheRead ?? 0),
        cacheWriteTokens: BigInt(cacheWrite ?? 0),
        costMicroUsd: microUsd(spent.costUSD),
        costUnknown: typeof spent.costUSD !== "number",
      };
    });
}

/** A limit of its task stopped it, and would stop another attempt: a person decides. */
const limitsReached: Readonly<Record<string, JsonObject>> = {
  error_max_turns: {
    status: "blocked",
    summary: "it was not done when it had taken all the turns it may take without asking",
    failure_code: "STEP_LIMIT_REACHED",
  },
  error_max_budget_usd: {
    status: "blocked",
    summary: "it was not done when it had spent all it may spend",
    failure_code: "BUDGET_SPENT",
  },
};

/** A text, or blocks with texts among them. */
function contentText(content: JsonValue | undefined): string {
  if (typeof content === "string") return content;
  return objectsOf(content)
    .map(({ text }) => textOf(text))
    .join("");
}
