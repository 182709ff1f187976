import type { JsonObject } from "@bufbuild/protobuf";

/** The call of a tool that a person has to approve (SACP §8). */
export interface ToolProposal {
  /** Identifies the call in its decision; the same in every attempt at the same work. */
  readonly callId: string;
  readonly tool: string;
  readonly args: JsonObject;
  /** Why it is asked about, for people. */
  readonly reason?: string;
}

/** What a person decided about a call. */
export interface ToolDecision {
  readonly verdict: "approved" | "edited" | "refused";
  /** The arguments to use, when they were edited. */
  readonly args?: JsonObject;
  readonly reason: string;
}

/** The definition of a tool from elsewhere, such as an MCP server. */
export interface PinnableTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

/** Compares definitions of tools with the accepted ones. */
export interface ToolPins {
  /** The names of those that may be offered. */
  pin(tools: readonly PinnableTool[]): Promise<readonly string[]>;
}
