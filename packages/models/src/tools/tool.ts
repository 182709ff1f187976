import type { Task } from "@baton/agent";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";

/** What a model reads of a tool, as JSON. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments: an object. */
  readonly inputSchema: JsonObject;
}

/**
 * A tool that a model may call, wherever it comes from: an MCP server, a command, an HTTP address or a function.
 *
 * The loop checks the safety context, asks a person, counts the step and publishes TOOL_LIFECYCLE events around `call`; a
 * source of tools only executes. Names follow `^[A-Za-z0-9_-]{1,64}$`, which all providers accept.
 */
export interface ModelTool extends ToolDefinition {
  /** Whether a call whose outcome is unknown may be repeated. */
  readonly idempotent: boolean;
  /** Whether a person is asked when the outcome of a call is unknown. */
  readonly critical: boolean;
  /** Whether a person approves each call. A text is a CEL rule over `args`. */
  readonly ask?: boolean | string;
  /** The source checks the arguments itself, because its schema has rules that the hub does not enforce. */
  readonly checksArguments?: boolean;
  /** An error that it throws is reported to the model as a failed call. */
  call(args: JsonObject, context: ToolContext): Promise<ToolOutput>;
}

export interface ToolContext {
  /** Aborted when the attempt ends. */
  readonly signal: AbortSignal;
  readonly task: Task;
}

export interface ToolOutput {
  /** What the model reads, marked as data. */
  readonly text: string;
  readonly data?: JsonValue;
  /** The tool ran and reports an error of its own. */
  readonly isError?: boolean;
}

/** A server with tools, connected for one attempt. */
export interface ToolServer {
  readonly name: string;
  /** The definitions that the server states, named as the model calls them. Rejects with a `ModelFailure`. */
  list(signal: AbortSignal): Promise<readonly ServedTool[]>;
  /** The tool of a definition, which may be from an earlier attempt. */
  toolFor(definition: ServedTool): ModelTool;
  close(): Promise<void>;
}

export interface ServedTool extends ToolDefinition {
  /** Its name at the server. */
  readonly served: string;
}
