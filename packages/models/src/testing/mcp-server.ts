import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import type { JsonObject } from "@bufbuild/protobuf";
import {
  fromJsonSchema,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { onTestFinished } from "vitest";

export interface TestTool {
  description: string;
  inputSchema?: JsonObject;
  /** The content of the result. */
  call: (args: JsonObject) => object[] | Promise<object[]>;
}

/** A real MCP server by Streamable HTTP, whose tools may change between attempts. */
export async function startMcpServer(tools: Record<string, TestTool>) {
  const calls: { readonly tool: string; readonly args: JsonObject; readonly headers: IncomingHttpHeaders }[] =
    [];
  const server = createServer(async (incoming, outgoing) => {
    const mcp = new McpServer({ name: "test", version: "1.0.0" });
    for (const [name, tool] of Object.entries(tools)) {
      const schema = tool.inputSchema ?? { type: "object", properties: { city: { type: "string" } } };
      mcp.registerTool(
        name,
        { description: tool.description, inputSchema: fromJsonSchema(schema as never) },
        async (args) => {
          calls.push({ tool: name, args: args as JsonObject, headers: incoming.headers });
          return { content: (await tool.call(args as JsonObject)) as never };
        },
      );
    }
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await mcp.connect(transport);
    const hasBody = incoming.method === "POST";
    const request = new Request(`http://127.0.0.1${incoming.url}`, {
      method: incoming.method ?? "GET",
      headers: incoming.headers as Record<string, string>,
      ...(hasBody && { body: Readable.toWeb(incoming) as never, duplex: "half" }),
    });
    const response = await transport.handleRequest(request);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    if (response.body) for await (const chunk of response.body) outgoing.write(chunk);
    outgoing.end();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, calls, tools };
}
