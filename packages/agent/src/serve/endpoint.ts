import { hash, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import type { Server, ServerResponse } from "node:http";
import type { Http2Server, ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";
import { limits } from "../limits.ts";

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  /** What callers authenticate with. */
  readonly token: string | undefined;
}

/** Whether the header is `Bearer <token>`. Compares digests, so that timing reveals nothing. */
export function hasToken(token: string | undefined, header: string | null | undefined): boolean {
  if (token === undefined) return true;
  const digest = (text: string) => hash("sha256", text, "buffer");
  return timingSafeEqual(digest(`Bearer ${token}`), digest(header ?? ""));
}

export interface Endpoint {
  readonly port: number;
  /** Accepts no more calls and waits for open ones; destroys connections that do not end in time. */
  close(): Promise<void>;
}

export async function listening(server: Server | Http2Server, host: string, port: number): Promise<Endpoint> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  const closeIdle = "closeIdleConnections" in server ? whenIdle(server) : whenStreamsEnd(server);
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : port,
    async close() {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      closeIdle();
      const cutOff = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, limits.flushMs);
      await closed.promise;
      clearTimeout(cutOff);
    },
  };
}

/** HTTP/1.1: closes a keep-alive connection after its response. */
function whenIdle(server: Server): () => void {
  let closing = false;
  server.on("request", (_request, response: ServerResponse) => {
    response.once("close", () => closing && setImmediate(() => server.closeIdleConnections()));
  });
  return () => {
    closing = true;
    server.closeIdleConnections();
  };
}

/** HTTP/2: closes a session after its streams. */
function whenStreamsEnd(server: Http2Server): () => void {
  const sessions = new Set<ServerHttp2Session>();
  server.on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
  });
  return () => {
    for (const session of sessions) session.close();
  };
}
