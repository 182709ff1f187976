import type { JsonObject } from "@bufbuild/protobuf";
import type { ModelCall, ModelCalls } from "../src/calls/replaced-calls.ts";
import type { ModelReply } from "../src/calls/reply.ts";
import { callUsage } from "../src/calls/usage.ts";
import { type FailureKind, ModelFailure } from "../src/failure.ts";
import { argsText, piecesOf, type ScriptedReply, type ScriptedUsage } from "./reply.ts";
import { defaultUsage } from "./wire/wire.ts";

/** What a scripted model says: an answer in the protocol, or a reply with text and tool calls. */
export type ScriptedAnswer =
  | { readonly answer: JsonObject; readonly usage?: ScriptedUsage }
  | Omit<ScriptedReply, "stream" | "model">;

/** A call without an answer, as the agent sees it after a provider's error. */
export interface ScriptedFailure {
  readonly failure: FailureKind;
  readonly message?: string;
  /** How long the provider asks to wait. */
  readonly waitMs?: number;
}

export type ModelScript = (
  call: ModelCall,
  index: number,
) => ScriptedAnswer | ScriptedFailure | Promise<ScriptedAnswer | ScriptedFailure>;

/** A model that answers by a script, in this process: nothing is sent, and no key is needed. */
export interface ScriptedModel extends ModelCalls {
  /** All calls so far, tries after a failure included. */
  readonly calls: readonly ModelCall[];
}

/**
 * For the option `calls` of `startModelAgent` and `withModel`. A list is used up one by one; a call after the last fails. A
 * function decides by the call; `index` counts from zero.
 */
export function scriptedModel(
  script: ModelScript | readonly (ScriptedAnswer | ScriptedFailure)[],
): ScriptedModel {
  const decide = typeof script === "function" ? script : listed(script);
  const calls: ModelCall[] = [];
  return {
    calls,
    async call(call) {
      // The conversation goes on in the same list.
      const seen = { ...call, request: { ...call.request, messages: [...call.request.messages] } };
      const index = calls.push(seen) - 1;
      const step = await decide(seen, index);
      call.signal.throwIfAborted();
      if ("failure" in step)
        throw new ModelFailure(
          step.failure,
          step.message ?? `the script fails with ${step.failure}`,
          step.waitMs,
        );
      return replyOf(step, call, index);
    },
  };
}

function listed(script: readonly (ScriptedAnswer | ScriptedFailure)[]): ModelScript {
  return (_call, index) =>
    script[index] ?? {
      failure: "MODEL_NOT_SCRIPTED",
      message: `the script has no answer to call ${index + 1}; it ends after ${script.length}`,
    };
}

const whole = { thought: "", data: {}, message: "Done." };

function replyOf(answer: ScriptedAnswer, { model, provider, onPiece }: ModelCall, index: number): ModelReply {
  const scripted: ScriptedReply =
    "answer" in answer ? { ...answer, text: JSON.stringify({ ...whole, ...answer.answer }) } : answer;
  const [reasoning, text] = [piecesOf(scripted.reasoning), piecesOf(scripted.text)];
  for (const piece of [...reasoning, ...text]) onPiece(piece);
  if (scripted.stop === "refusal")
    throw new ModelFailure("MODEL_REFUSED", `provider "${provider.id}" refused to answer: ${text.join("")}`);
  const toolCalls = (scripted.toolCalls ?? []).map((call, at) => {
    const id = call.id ?? `call-${index + 1}-${at + 1}`;
    const args = readArgs(argsText(call));
    return {
      id,
      name: call.name,
      ...(args ? { args } : { args: {}, invalid: "the arguments are not a JSON object" }),
    };
  });
  const used = { ...defaultUsage, ...scripted.usage };
  const tokens = {
    inputTokens: used.input + used.cacheRead + used.cacheWrite,
    inputTokenDetails: { cacheReadTokens: used.cacheRead, cacheWriteTokens: used.cacheWrite },
    outputTokens: used.output,
    outputTokenDetails: { reasoningTokens: used.reasoning },
  };
  const stop = scripted.stop ?? (toolCalls.length > 0 ? "tools" : "end");
  return {
    ...{
      model: model.id,
      provider: provider.id,
      reasoning: reasoning.join(""),
      text: text.join(""),
      toolCalls,
    },
    end: stop === "end" ? "complete" : stop,
    messages: [
      {
        role: "assistant",
        content: [
          ...(reasoning.length > 0 ? [{ type: "reasoning" as const, text: reasoning.join("") }] : []),
          ...(text.length > 0 ? [{ type: "text" as const, text: text.join("") }] : []),
          ...toolCalls.map(({ id, name, args }) => ({
            ...{ type: "tool-call" as const, toolCallId: id, toolName: name, input: args },
          })),
        ],
      },
    ],
    usage: callUsage(tokens, { ...model, provider: provider.id }),
  };
}

function readArgs(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
