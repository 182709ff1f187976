import { connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/** The faults of the next chunks. */
export interface ProxyFaults {
  delayMs: number;
  /** Connections to cut in the middle of their next chunk. */
  cuts: number;
}

/** Shorter chunks are frames without a message, such as pings. */
const shortestMessage = 40;

/** A TCP proxy between agents and hub that delays and cuts. */
export class FaultyProxy {
  readonly faults: ProxyFaults = { delayMs: 0, cuts: 0 };
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #onCut: () => void;
  readonly #onDelay: () => void;

  private constructor(target: number, onCut: () => void, onDelay: () => void) {
    this.#onCut = onCut;
    this.#onDelay = onDelay;
    this.#server = createServer((near) => this.#join(near, connect(target, "127.0.0.1")));
  }

  static async start(
    listenAt: number,
    target: number,
    { onCut, onDelay }: { readonly onCut: () => void; readonly onDelay: () => void },
  ): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(target, onCut, onDelay);
    await new Promise<void>((done) => proxy.#server.listen(listenAt, "127.0.0.1", done));
    return proxy;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((done) => this.#server.close(() => done()));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #join(near: Socket, far: Socket): void {
    const end = () => {
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", end);
      socket.on("close", () => {
        this.#sockets.delete(socket);
        end();
      });
    }
    void this.#carry(near, far, end).catch(end);
    void this.#carry(far, near, end).catch(end);
  }

  async #carry(from: Socket, to: Socket, end: () => void): Promise<void> {
    for await (const chunk of from) {
      const bytes: Buffer = chunk;
      if (this.faults.cuts > 0 && bytes.length > shortestMessage) {
        this.faults.cuts--;
        this.#onCut();
        // Both connections stay open until the half was written.
        await new Promise((done) => to.write(bytes.subarray(0, bytes.length >> 1), done));
        return end();
      }
      if (this.faults.delayMs > 0) {
        this.#onDelay();
        await pause(this.faults.delayMs);
      }
      if (!to.write(bytes)) await new Promise<void>((done) => to.once("drain", done).once("close", done));
    }
    to.end();
  }
}
