import type { HttpTool } from "@baton/kernel";
import { type UrlAnswer, urlCaller } from "@baton/runtime/guarded";
import type { JsonObject } from "@bufbuild/protobuf";
import { limits } from "../limits.ts";
import type { ToolSurroundings } from "./surroundings.ts";
import type { ModelTool, ToolOutput } from "./tool.ts";

/** Requests to listed addresses, through the URL guard. */
export function httpTool(source: HttpTool, { variables }: ToolSurroundings): ModelTool {
  const { name, description, idempotent, critical, ask, allow, methods, privateHosts, keyEnv, timeoutMs } =
    source;
  const call = urlCaller({
    ...{ hosts: privateHosts, setting: `http.private_hosts of "${name}"`, maxBytes: limits.httpBytes },
    allows: (url) => allow.some((beginning) => isBelow(url, beginning)),
  });
  return {
    ...{ name, idempotent, critical, ...(ask !== undefined && { ask }) },
    description: `${description}\n\nAllowed addresses begin with: ${allow.join(", ")}`,
    inputSchema: schemaOf(source),
    async call(args, { signal }) {
      const { url, method = methods[0], body } = args as { url: string; method?: string; body?: string };
      const key = keyEnv === undefined ? undefined : variables[keyEnv];
      if (keyEnv !== undefined && !key) throw new Error(`there is no key: set ${keyEnv} for the hub`);
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      const headers = {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { "content-type": isJson(body) ? "application/json" : "text/plain" }),
      };
      const parts = { method: method ?? "GET", headers, ...(body !== undefined && { body }) };
      try {
        return outputOf(await call(url, parts, inTime));
      } catch (error) {
        signal.throwIfAborted();
        throw inTime.aborted ? new Error(`no answer after ${timeoutMs} ms`) : error;
      }
    },
  };
}

/** Compared by the parsed parts, so that neither `..` nor another notation leads elsewhere. */
function isBelow(url: URL, beginning: string): boolean {
  const { origin, pathname } = new URL(beginning);
  // Servers may decode a slash and dots that the parser leaves alone.
  const isPlain = !/%2f|%5c|%2e/i.test(url.pathname);
  return url.origin === origin && isPlain && url.pathname.startsWith(pathname);
}

function schemaOf({ methods }: HttpTool): JsonObject {
  const hasBody = methods.some((method) => method !== "GET");
  return {
    type: "object",
    properties: {
      url: { type: "string", description: "The whole address, with its query." },
      ...(methods.length > 1 && { method: { type: "string", enum: [...methods] } }),
      ...(hasBody && { body: { type: "string", description: "The body, for methods other than GET." } }),
    },
    required: ["url"],
    additionalProperties: false,
  };
}

function outputOf({ status, mediaType, location, body, isCut }: UrlAnswer): ToolOutput {
  const isText = body.length === 0 || isTextual(mediaType, body);
  const text = isText ? new TextDecoder().decode(body) : `[${body.length} bytes that are no text]`;
  const lines = [
    `status ${status}${mediaType && `, ${mediaType}`}${location === undefined ? "" : `, location ${location}`}`,
    `${text}${isCut ? "\n[the body goes on]" : ""}`,
  ];
  return { text: lines.join("\n"), ...(status >= 400 && { isError: true }) };
}

function isTextual(mediaType: string, body: Buffer): boolean {
  return !/^(image|audio|video|font)\//.test(mediaType) && !body.includes(0);
}

function isJson(body: string): boolean {
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}
