import { hash, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import type { Server, ServerResponse } from "node:http";
import type { Http2Server, ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";
import { limits } from "../limits.ts";

/** Where to listen, and what a caller has to show. */
export interface Place {
  readonly host: string;
  readonly port: number;
  readonly token: string | undefined;
}

/** Whether the header of a call is `Bearer <token>`. Compared by digests, so that the time it takes tells nothing. */
export function showsToken(token: string | undefined, header: string | null | undefined): boolean {
  if (token === undefined) return true;
  const digest = (text: string) => hash("sha256", text, "buffer");
  return timingSafeEqual(digest(`Bearer ${token}`), digest(header ?? ""));
}

/** A port on which an agent is called. */
export interface Endpoint {
  readonly port: number;
  /** Takes no more calls, and lets those that are open end; what has not ended after a while is cut off. */
  close(): Promise<void>;
}

export async function listening(server: Server | Http2Server, host: string, port: number): Promise<Endpoint> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  const letGo = "closeIdleConnections" in server ? whenIdle(server) : whenStreamsEnd(server);
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : port,
    async close() {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      letGo();
      const cutOff = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, limits.flushMs);
      await closed.promise;
      clearTimeout(cutOff);
    },
  };
}

/** HTTP/1.1: a connection that is kept alive is closed once its answer is sent. */
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

/** HTTP/2: a session ends when its streams have. */
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
