import type { Server, Socket } from "node:net";

/** The connections of a server, whatever is spoken on them, so that at the end none is left. */
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
