import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { ServerLimits } from "../limits.ts";

/** HTTP/1.1, for people, pages and probes. */
export function http1Server(
  limits: ServerLimits,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Server {
  const options = {
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.headersTimeoutMs + limits.bodyTimeoutMs,
    keepAliveTimeout: limits.idleTimeoutMs,
    connectionsCheckingInterval: Math.min(1_000, limits.headersTimeoutMs),
    requireHostHeader: true,
  };
  const server = createServer(options, handle);
  server.maxHeadersCount = limits.headerCount;
  server.maxConnections = limits.connections;
  return server;
}
