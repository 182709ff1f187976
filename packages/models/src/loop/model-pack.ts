import type { CallableModel } from "../calls/replaced-calls.ts";
import type { Sampling } from "../calls/stream-call.ts";
import type { ModelTool, ToolServer } from "../tools/tool.ts";

/** What makes a model an agent. */
export interface ModelPack {
  /** The author's part. */
  readonly systemPrompt: string;
  /** Whether it answers by SACP §2; otherwise its text is the message of a success. */
  readonly usesProtocol: boolean;
  readonly sampling: Sampling;
  readonly maxCorrections: number;
}

export interface ModelParts {
  /** The model and its fallbacks, in order. */
  readonly models: readonly CallableModel[];
  readonly tools: readonly ModelTool[];
  /** Servers whose tools are listed when an attempt begins; opened for each attempt. */
  readonly openServers: () => readonly ToolServer[];
  /** Masks secrets in what is sent to a provider, and in what a provider says of failures. */
  readonly redact: (text: string) => string;
}
