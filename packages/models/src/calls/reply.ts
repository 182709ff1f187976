import type { JsonObject } from "@bufbuild/protobuf";
import type { ModelMessage } from "ai";
import type { CallUsage } from "./usage.ts";

/** What a model answered to one call. It is stored as a step, so it consists of JSON only. */
export interface ModelReply {
  /** The model of the catalogue and its provider. */
  readonly model: string;
  readonly provider: string;
  readonly reasoning: string;
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly end: "complete" | "tools" | "length";
  /** As the next call repeats it, with signatures of the provider. */
  readonly messages: readonly ModelMessage[];
  readonly usage: CallUsage;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject;
  /** Why the arguments cannot be used. */
  readonly invalid?: string;
}
