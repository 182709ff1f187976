import {
  createServer as createHttp1Server,
  type Server as Http1Server,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import {
  createServer,
  type Http2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type Http2Stream,
  type ServerHttp2Session,
} from "node:http2";
import type { Server, Socket } from "node:net";
import type { ServerLimits } from "../limits.ts";

/** HTTP/1.1, for JSON, the page and probes. */
export function http1Server(
  limits: ServerLimits,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Http1Server {
  const options = {
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.headersTimeoutMs + limits.bodyTimeoutMs,
    keepAliveTimeout: limits.idleTimeoutMs,
    connectionsCheckingInterval: Math.min(1_000, limits.headersTimeoutMs),
    requireHostHeader: true,
  };
  const server = createHttp1Server(options, handle);
  server.maxHeadersCount = limits.headerCount;
  server.maxConnections = limits.connections;
  return server;
}

/** HTTP/2 in plain text, for gRPC. */
export interface GrpcServer {
  readonly server: Http2Server;
  /** Refuses new streams, and closes each connection when its streams are done. */
  closeSessions(): void;
}

export function http2Server(
  limits: ServerLimits,
  handle: (request: Http2ServerRequest, response: Http2ServerResponse) => void,
): GrpcServer {
  const options = {
    settings: {
      maxConcurrentStreams: limits.streamsPerConnection,
      maxHeaderListSize: limits.headerBytes,
    },
    maxHeaderListPairs: limits.headerCount,
    maxSessionMemory: limits.sessionMegabytes,
    streamResetBurst: limits.resetBurst,
    streamResetRate: limits.resetsPerSecond,
  };
  const server = createServer(options, handle);
  server.maxConnections = limits.connections;
  const sessions = new Set<ServerHttp2Session>();
  // The session does not expose its socket. Node emits "connection" and "session" in the same tick.
  let arriving: Socket | undefined;
  server.prependListener("connection", (socket) => {
    arriving = socket;
  });
  server.on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
    if (arriving) endWhenIdleOrDead(session, arriving, limits);
  });
  server.on("sessionError", () => undefined); // A protocol error only ends its session.
  return {
    server,
    closeSessions: () => sessions.forEach((session) => void session.close()),
  };
}

/**
 * Closes a connection that is idle, never sends complete headers, or stays open after its session ended. Pings one with
 * streams, because TCP does not report that a machine was unplugged.
 */
function endWhenIdleOrDead(session: ServerHttp2Session, socket: Socket, limits: ServerLimits): void {
  const streams = new Map<Http2Stream, { wasClosed: boolean }>();
  let idleSinceMs = performance.now();
  let pingedAtMs: number | undefined;
  session.on("stream", (stream) => {
    streams.set(stream, { wasClosed: false });
    stream.once("close", () => {
      streams.delete(stream);
      idleSinceMs = performance.now();
    });
  });
  const check = () => {
    const nowMs = performance.now();
    // A client may cancel a call with NO_ERROR, after which Node never finishes the stream.
    for (const [stream, seen] of streams) {
      if (stream.closed && seen.wasClosed) stream.destroy();
      seen.wasClosed = stream.closed;
    }
    if (streams.size === 0 || session.destroyed) {
      if (nowMs - idleSinceMs >= limits.idleTimeoutMs) socket.destroy();
    } else if (pingedAtMs === undefined) {
      pingedAtMs = nowMs;
      session.ping((error) => {
        if (error === null) pingedAtMs = undefined;
      });
    } else if (nowMs - pingedAtMs >= limits.heartbeatTimeoutMs) {
      socket.destroy();
    }
  };
  const timer = setInterval(check, Math.min(limits.heartbeatMs, limits.idleTimeoutMs));
  timer.unref();
  socket.once("close", () => clearInterval(timer));
}

/** All connections of a server, to close them at the end. */
export class OpenSockets {
  readonly #sockets = new Set<Socket>();

  constructor(server: Server) {
    server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
    });
  }

  destroy(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
