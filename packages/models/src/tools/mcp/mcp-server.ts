import { checkJsonSchema, type McpTools } from "@baton/kernel";
import type { JsonObject } from "@bufbuild/protobuf";
import type { Client } from "@modelcontextprotocol/client";
import { ModelFailure, shorten } from "../../failure.ts";
import { limits } from "../../limits.ts";
import type { ToolSurroundings } from "../surroundings.ts";
import type { ModelTool, ServedTool, ToolServer } from "../tool.ts";
import type { McpConnection } from "./connect.ts";
import { outputOf } from "./output.ts";

/** The tools of an MCP server. Connected when it is needed, for one attempt: attempts share nothing. */
export class McpServer implements ToolServer {
  readonly #source: McpTools;
  readonly #surroundings: ToolSurroundings;
  #connection: Promise<McpConnection> | undefined;

  constructor(source: McpTools, surroundings: ToolSurroundings) {
    this.#source = source;
    this.#surroundings = surroundings;
  }

  get name(): string {
    return this.#source.name;
  }

  async list(signal: AbortSignal): Promise<readonly ServedTool[]> {
    const { name, tools: offered } = this.#source;
    const { client } = await this.#connect(signal);
    const listed = await this.#tools(client, signal);
    const wanted = listed.filter((tool) => offered?.includes(tool.name) ?? true);
    const missing = offered?.filter((one) => !listed.some((tool) => tool.name === one)) ?? [];
    if (missing.length > 0)
      throw unusable(name, `has no tool "${missing[0]}": correct mcp.tools, or the server`);
    const served = wanted.map(({ name: own, description = "", inputSchema }) => ({
      name: `${name}_${own.replaceAll(/[^A-Za-z0-9_-]/g, "_")}`,
      ...{ served: own, description, inputSchema: inputSchema as JsonObject },
    }));
    for (const [index, tool] of served.entries()) {
      if (tool.name.length > 64) throw unusable(name, `"${tool.name}" is longer than 64 characters`);
      if (JSON.stringify(tool).length > limits.definitionLength)
        throw unusable(name, `the definition of "${tool.served}" is too large`);
      if (served.findIndex((other) => other.name === tool.name) < index)
        throw unusable(name, `two of its tools would be called "${tool.name}"`);
    }
    return served;
  }

  toolFor({ name, served, description, inputSchema }: ServedTool): ModelTool {
    const { idempotent, critical, ask, timeoutMs } = this.#source;
    return {
      ...{ name, description, inputSchema, idempotent, critical, ...(ask !== undefined && { ask }) },
      checksArguments: checkJsonSchema(inputSchema).length > 0,
      call: async (args, { signal }) => {
        const { client } = await this.#connect(signal);
        const options = { signal, timeout: timeoutMs, maxTotalTimeout: timeoutMs };
        return outputOf(await client.callTool({ name: served, arguments: args }, options));
      },
    };
  }

  async close(): Promise<void> {
    const connection = await this.#connection?.catch(() => undefined);
    await connection?.close();
  }

  /** All pages of the list, bounded. */
  async #tools(client: Client, signal: AbortSignal) {
    const { name, timeoutMs: timeout } = this.#source;
    try {
      const { tools } = await client.listTools(undefined, { signal, timeout });
      if (tools.length <= limits.servedTools) return tools;
    } catch (error) {
      signal.throwIfAborted();
      throw unavailable(name, error);
    }
    throw unusable(name, `it lists more than ${limits.servedTools} tools`);
  }

  async #connect(signal: AbortSignal): Promise<McpConnection> {
    const { name } = this.#source;
    const known = await this.#connection?.catch(() => undefined);
    if (known !== undefined && !known.isClosed()) return known;
    // Agents without such tools do not load the client.
    this.#connection = import("./connect.ts").then(({ connect }) =>
      connect(this.#source, this.#surroundings, signal),
    );
    try {
      return await this.#connection;
    } catch (error) {
      this.#connection = undefined;
      signal.throwIfAborted();
      throw unavailable(name, error);
    }
  }
}

function unavailable(server: string, error: unknown): ModelFailure {
  if (error instanceof ModelFailure) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new ModelFailure(
    "TOOLS_UNAVAILABLE",
    `the MCP server "${server}" does not answer: ${shorten(reason)}`,
  );
}

function unusable(server: string, why: string): ModelFailure {
  return new ModelFailure("TOOLS_UNUSABLE", `the MCP server "${server}": ${shorten(why)}`);
}
