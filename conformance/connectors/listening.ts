import { once } from "node:events";
import type { Server } from "node:http";
import type { Http2Server } from "node:http2";
import type { Server as NetServer, Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A server on a free port of this machine, until the test ends. */
export async function listening(server: Server | Http2Server | NetServer): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  const cutOff = () => {
    for (const socket of sockets) socket.destroy();
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    cutOff();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("it listens on a port");
  return { uri: `http://127.0.0.1:${address.port}`, cutOff };
}

export interface Listening {
  readonly uri: string;
  /** Ends every connection without a word. */
  cutOff(): void;
}
