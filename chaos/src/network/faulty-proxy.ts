import { connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/** What is to happen to what comes next. */
export interface Weather {
  /** Milliseconds that a chunk is held back. */
  delayMs: number;
  /** Connections that are to be cut in the middle of what they carry next. */
  cuts: number;
}

/** Shorter chunks are frames without a message: pings and windows. */
const shortestMessage = 40;

/** Stands between agents and hub, and carries what they say, until it does not. */
export class FaultyLine {
  readonly weather: Weather = { delayMs: 0, cuts: 0 };
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
  ): Promise<FaultyLine> {
    const proxy = new FaultyLine(target, onCut, onDelay);
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
      if (this.weather.cuts > 0 && bytes.length > shortestMessage) {
        this.weather.cuts--;
        this.#onCut();
        // The half is on its way before both sides are gone.
        await new Promise((done) => to.write(bytes.subarray(0, bytes.length >> 1), done));
        return end();
      }
      if (this.weather.delayMs > 0) {
        this.#onDelay();
        await pause(this.weather.delayMs);
      }
      if (!to.write(bytes)) await new Promise<void>((done) => to.once("drain", done).once("close", done));
    }
    to.end();
  }
}
