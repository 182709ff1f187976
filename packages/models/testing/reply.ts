import type { JsonObject, JsonValue } from "@bufbuild/protobuf";

/** What the scripted model answers, in the terms of no provider. */
export interface ScriptedReply {
  /** Streamed before the text. */
  readonly reasoning?: string | readonly string[];
  /** One piece, or the pieces in which it is streamed. */
  readonly text?: string | readonly string[];
  readonly toolCalls?: readonly ScriptedToolCall[];
  /** Default: `tools` with tool calls, else `end`. */
  readonly stop?: "end" | "tools" | "length" | "refusal";
  /** Default: 10 input tokens, 5 output tokens. */
  readonly usage?: ScriptedUsage;
  /** The model that claims to have answered. Default: the requested one. */
  readonly model?: string;
  /** What goes wrong with the stream. */
  readonly stream?: ScriptedStream;
}

export interface ScriptedToolCall {
  readonly name: string;
  /** A text is sent as it is, valid JSON or not. */
  readonly args: JsonObject | string;
  readonly id?: string;
}

export interface ScriptedUsage {
  /** Input tokens that were neither read from nor written to the cache. */
  readonly input?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  /** Reasoning included. */
  readonly output?: number;
  readonly reasoning?: number;
}

export interface ScriptedStream {
  /** Before the response begins. */
  readonly firstDelayMs?: number;
  /** Between pieces. */
  readonly pieceDelayMs?: number;
  /** Ends the connection after so many pieces of output. `inEvent` ends it in the middle of the next event. */
  readonly cutAfter?: number;
  readonly inEvent?: boolean;
  /** Ends the response properly after so many pieces of output, without the events that complete it. */
  readonly endAfter?: number;
  /** Sends nothing more after so many pieces, and keeps the connection open. */
  readonly hangAfter?: number;
  /** An error event after so many pieces. */
  readonly errorAfter?: number;
  readonly error?: { readonly type: string; readonly message: string };
  /** Pings while the stream hangs. */
  readonly pingEveryMs?: number;
  /** Sends every event in single bytes. */
  readonly tornEvents?: boolean;
  /** Puts events of unknown types, comments and empty lines between the others. */
  readonly unknownParts?: boolean;
}

/** An answer without a stream. */
export interface ScriptedError {
  readonly status: number;
  /** In the form of the provider. */
  readonly type?: string;
  readonly message?: string;
  /** Replaces the body. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type WireName = "anthropic" | "openai-chat" | "openai-responses";

/** A request as the server received it. */
export interface RecordedRequest {
  readonly wire: WireName;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
  readonly model: string;
  /** All system instructions. */
  readonly system: string;
  /** The conversation: one entry per message, with its texts, tool calls and tool results. */
  readonly messages: readonly RecordedMessage[];
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly schema: JsonValue;
  }[];
  readonly atMs: number;
}

export interface RecordedMessage {
  readonly role: string;
  readonly text: string;
  readonly toolCalls: readonly { readonly id: string; readonly name: string; readonly args: string }[];
  readonly toolResults: readonly { readonly id: string; readonly text: string }[];
}

export type Scripted = ScriptedReply | ScriptedError;

/** Decides the answer to a request; `index` counts all requests from zero. */
export type Script = (request: RecordedRequest, index: number) => Scripted | Promise<Scripted>;

export function isError(scripted: Scripted): scripted is ScriptedError {
  return "status" in scripted;
}

/** Text pieces, without empty ones. */
export function piecesOf(text: string | readonly string[] | undefined): readonly string[] {
  if (text === undefined) return [];
  return (typeof text === "string" ? [text] : text).filter((piece) => piece !== "");
}

export function argsText({ args }: ScriptedToolCall): string {
  return typeof args === "string" ? args : JSON.stringify(args);
}
