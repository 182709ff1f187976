import type { McpTools } from "@baton/kernel";
import { type EnclosedProgram, withEnclosed } from "@baton/runtime/guarded";
import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { limits } from "../../limits.ts";
import type { ToolSurroundings } from "../surroundings.ts";

export interface McpConnection {
  readonly client: Client;
  readonly isClosed: () => boolean;
  readonly close: () => Promise<void>;
}

/** Connects by Streamable HTTP, or starts the program inside of the sandbox. */
export async function connect(
  source: McpTools,
  surroundings: ToolSurroundings,
  signal: AbortSignal,
): Promise<McpConnection> {
  const { url } = source;
  if (url !== undefined) return open(httpTransport(source, url, surroundings), source, signal);
  const started = Promise.withResolvers<McpConnection>();
  const ended = Promise.withResolvers<void>();
  const lifetime = startProgram(source, surroundings, async (program) => {
    const connection = await open(stdioTransport(program), source, signal);
    started.resolve({
      ...connection,
      close: async () => {
        await connection.close();
        ended.resolve();
        await lifetime;
      },
    });
    await ended.promise;
  });
  // Afterwards it has no effect.
  lifetime.catch((error: unknown) => started.reject(error));
  return started.promise;
}

async function open(
  transport: Transport,
  { timeoutMs }: McpTools,
  signal: AbortSignal,
): Promise<McpConnection> {
  const client = new Client(
    { name: "baton", version: "1.0.0" },
    {
      capabilities: {},
      jsonSchemaValidator: { getValidator: () => acceptAll },
      listMaxPages: limits.servedPages,
    },
  );
  let isClosed = false;
  client.onclose = () => {
    isClosed = true;
  };
  client.onerror = () => {};
  try {
    await client.connect(transport, { signal, timeout: timeoutMs });
  } catch (error) {
    await client.close().catch(() => {});
    throw error;
  }
  return { client, isClosed: () => isClosed, close: () => client.close().catch(() => {}) };
}

/** Outputs are data for the model. Schemas of servers are not compiled: their patterns could block this process. */
const acceptAll = (input: unknown) =>
  ({ valid: true, data: input as never, errorMessage: undefined }) as const;

function httpTransport({ keyEnv }: McpTools, url: string, { variables }: ToolSurroundings): Transport {
  const key = keyEnv === undefined ? undefined : variables[keyEnv];
  if (keyEnv !== undefined && !key) throw new Error(`there is no key: set ${keyEnv} for the hub`);
  return new StreamableHTTPClientTransport(new URL(url), {
    ...(key !== undefined && { requestInit: { headers: { authorization: `Bearer ${key}` } } }),
    fetch: boundedFetch,
  });
}

/** Ends answers that are too large. Redirects are refused: they could lead a key elsewhere. */
const boundedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: "error" });
  if (response.body === null) return response;
  let size = 0;
  const bounded = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.length;
      if (size <= limits.mcpBytes) controller.enqueue(chunk);
      else controller.error(new Error(`its answer is larger than ${limits.mcpBytes} bytes`));
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(bounded), { status, statusText, headers });
};

function stdioTransport({ file: command, args, env, directory: cwd }: EnclosedProgram): Transport {
  return new StdioClientTransport({
    ...{ command, args: [...args], env: { ...env }, cwd },
    ...{ stderr: "ignore", maxBufferSize: limits.mcpBytes },
  });
}

async function startProgram(
  { run = [], passEnv, network }: McpTools,
  { sandbox: find, folder, variables }: ToolSurroundings,
  use: (program: EnclosedProgram) => Promise<void>,
): Promise<void> {
  const sandbox = await find();
  if (sandbox.kind === "none") throw new Error(`no sandbox works here: ${sandbox.reason}`);
  const env = Object.fromEntries(
    passEnv.flatMap((name) => (variables[name] ? [[name, variables[name]]] : [])),
  );
  await withEnclosed(sandbox, { run, folder, placeholder: "{pack}", network, env }, use);
}
