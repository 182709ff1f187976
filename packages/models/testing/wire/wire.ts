import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { RecordedMessage, RecordedRequest, ScriptedError, ScriptedReply } from "../reply.ts";

/** One server-sent event. Only output can be counted by `cutAfter` and the like. */
export interface WireEvent {
  readonly isOutput: boolean;
  readonly text: string;
}

/** A provider's protocol. */
export interface Wire {
  /** The events of a complete answer. */
  events(reply: ScriptedReply, model: string, id: string): readonly WireEvent[];
  /** An error within a stream. */
  errorEvent(error: { readonly type: string; readonly message: string }): string;
  /** The body of an answer that is an error. */
  errorBody(error: ScriptedError): JsonObject;
  ping: string;
  read(body: JsonObject): Pick<RecordedRequest, "system" | "messages" | "tools">;
}

export const defaultUsage = { input: 10, cacheRead: 0, cacheWrite: 0, output: 5, reasoning: 0 } as const;

export function sse(data: JsonValue, event?: string): string {
  return `${event === undefined ? "" : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;
}

export function objects(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);
}

/** The texts of a content that is a text or a list of parts. */
export function contentText(content: JsonValue | undefined): string {
  if (typeof content === "string") return content;
  return objects(content)
    .map(({ text }) => (typeof text === "string" ? text : ""))
    .join("");
}

export const emptyMessage: Omit<RecordedMessage, "role"> = { text: "", toolCalls: [], toolResults: [] };
