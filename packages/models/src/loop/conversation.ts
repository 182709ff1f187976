import { StepLimitReached, type Task } from "@baton/agent";
import type { JsonObject } from "@bufbuild/protobuf";
import { durationMs, timestampMs } from "@bufbuild/protobuf/wkt";
import type { ModelMessage } from "ai";
import { callModel } from "../calls/call-model.ts";
import type { ModelReply, ToolCall } from "../calls/reply.ts";
import type { ModelRequest } from "../calls/stream-call.ts";
import { type WorstCase, worstCase } from "../calls/usage.ts";
import { limits } from "../limits.ts";
import { checkedTools, offeredBy } from "../tools/offered.ts";
import type { ModelTool, ToolServer } from "../tools/tool.ts";
import type { ModelPack, ModelParts } from "./model-pack.ts";
import { Room } from "./room.ts";
import { type CallOptions, runStep } from "./steps.ts";
import { Thoughts } from "./thoughts.ts";
import { runToolCalls } from "./tool-calls.ts";

export interface Exchange {
  readonly reply: ModelReply;
  /** The reply of an earlier attempt: it was published and paid there. */
  readonly isReplayed: boolean;
}

/** The messages between an agent and its model. Calls of models and tools are steps, one at a time. */
export class Conversation {
  readonly #task: Task;
  readonly #pack: ModelPack;
  readonly #parts: ModelParts;
  readonly #instructions: string;
  readonly #messages: ModelMessage[] = [];
  readonly #endMs: number;
  readonly room: Room;
  /** Those of the pack, then those that servers offer. */
  #tools: readonly ModelTool[];
  /** Answers of the model that called tools. */
  #toolTurns = 0;
  #stepCount = 0;
  /** What is known of the size of the conversation, from the last call. */
  #measured = { bytes: 0, tokens: 0 };

  constructor(task: Task, pack: ModelPack, parts: ModelParts, instructions: string) {
    this.#task = task;
    this.#pack = pack;
    this.#parts = parts;
    this.#tools = parts.tools;
    this.#instructions = parts.redact(instructions);
    this.#endMs = performance.now() + timeOf(task);
    this.room = new Room(task);
  }

  /**
   * How many answers to questions belong to the first message: those that were there when the work began. Answers to
   * questions that are asked on the way follow them.
   */
  async begin(): Promise<number> {
    const { answers } = await this.#step("begin", {}, async () => ({ answers: this.#task.answers.length }), {
      idempotent: true,
    });
    return answers;
  }

  /** Adds the tools of servers, as they were when the work began. Rejects with a `ModelFailure`. */
  async loadTools(servers: readonly ToolServer[]): Promise<void> {
    const added: ModelTool[] = [];
    for (const server of servers) {
      const served = await this.#step(`tools:${server.name}`, {}, () => offeredBy(this.#task, server), {
        idempotent: true,
      });
      added.push(...served.map((definition) => server.toolFor(definition)));
    }
    this.#tools = checkedTools([...this.#parts.tools, ...added]);
  }

  get hasTools(): boolean {
    return this.#tools.length > 0;
  }

  /** The message of a user. */
  addMessage(text: string): void {
    this.#messages.push({ role: "user", content: this.#parts.redact(text) });
  }

  /** Calls the model, and adds its answer to the conversation. */
  async ask(options: Pick<ModelRequest, "mayCallTools" | "schema">): Promise<Exchange> {
    const { models } = this.#parts;
    const request: ModelRequest = {
      ...{ instructions: this.#instructions, messages: this.#messages, tools: this.#tools, ...options },
      sampling: this.#pack.sampling,
    };
    let isReplayed = true;
    const reply = await this.#step(
      "model",
      argumentsOf(request, models[0]?.model.id ?? ""),
      async () => {
        isReplayed = false;
        this.room.check(this.#worstCase());
        return this.#call(request);
      },
      { idempotent: true, usage: ({ usage }) => usage },
    );
    this.#messages.push(...reply.messages);
    const { inputTokens, outputTokens } = reply.usage;
    this.#measured = { bytes: this.#bytes(), tokens: inputTokens + outputTokens };
    return { reply, isReplayed };
  }

  /** Runs the tools that the model called, one after another, and adds their outputs. */
  async runTools(calls: readonly ToolCall[]): Promise<void> {
    const parts: Parameters<typeof runToolCalls>[0] = {
      task: this.#task,
      tools: this.#tools,
      redact: this.#parts.redact,
      step: (name, args, run, options) => this.#step(name, args, run, options),
    };
    this.#messages.push(...(await runToolCalls(parts, ++this.#toolTurns, calls)));
  }

  #step<Value>(
    name: string,
    args: JsonObject,
    run: () => Promise<Value>,
    options: CallOptions<Value>,
  ): Promise<Value> {
    if (++this.#stepCount > limits.steps) throw new StepLimitReached(limits.steps, "the steps of an attempt");
    return runStep(this.#task, name, args, run, options);
  }

  async #call(request: ModelRequest): Promise<ModelReply> {
    const thoughts = new Thoughts(this.#task);
    try {
      const reply = await callModel(this.#parts.models, request, {
        signal: this.#task.signal,
        leftMs: () => this.#endMs - performance.now(),
        onPiece: (piece) => thoughts.add(piece),
        isPublished: () => thoughts.isPublished,
        onDropped: () => thoughts.drop(),
      });
      thoughts.flush();
      return reply;
    } finally {
      thoughts.drop();
    }
  }

  /** The most of any model that may be called. What the last call measured counts as it is. */
  #worstCase(): WorstCase {
    const newTokens = Math.ceil(Math.max(0, this.#bytes() - this.#measured.bytes) / 2);
    const { maxOutputTokens = Number.POSITIVE_INFINITY } = this.#pack.sampling;
    const worst = this.#parts.models.map(({ model }) =>
      worstCase(this.#measured.tokens + newTokens, Math.min(maxOutputTokens, model.maxOutputTokens), model),
    );
    const costs = worst.flatMap(({ costMicroUsd }) => costMicroUsd ?? []);
    return {
      tokens: Math.max(0, ...worst.map(({ tokens }) => tokens)),
      ...(costs.length > 0 && { costMicroUsd: Math.max(...costs) }),
    };
  }

  #bytes(): number {
    const definitions = this.#tools.map(({ name, description, inputSchema }) => [
      name,
      description,
      inputSchema,
    ]);
    return Buffer.byteLength(JSON.stringify([this.#instructions, this.#messages, definitions]));
  }
}

/** What decides the answer of a model, for the digest of the step. */
function argumentsOf({ messages, tools, instructions, sampling, mayCallTools }: ModelRequest, model: string) {
  const definitions = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return JSON.parse(
    JSON.stringify({ model, instructions, messages, tools: definitions, sampling, mayCallTools }),
  ) as JsonObject;
}

/** The timeout is the deadline by the hub's clock, so it comes first. */
function timeOf({ envelope: { execution } }: Task): number {
  if (execution?.timeout) return durationMs(execution.timeout);
  return execution?.deadline ? timestampMs(execution.deadline) - Date.now() : limits.attemptMs;
}
