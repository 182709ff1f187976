/** Watchers, in a process of their own: each counts what it receives, and how long that took. */
import { connect, type Socket } from "node:net";
import { nowMs } from "../emit.ts";
import { callOnSocket } from "./grpc-socket.ts";

/**
 * Plain server-sent events; the same as browsers ask for it, left as it comes; and gRPC, as the command line does, left as
 * it comes too. A watcher that searches the text needs it uncompressed.
 */
export type Form = "plain" | "gzip" | "grpc";

export type Order =
  | {
      readonly kind: "watch";
      readonly url: string;
      readonly count: number;
      readonly reads: boolean;
      readonly form: Form;
    }
  /** Answers when every watcher has received so many thoughts since the last time. */
  | { readonly kind: "await"; readonly thoughts: number }
  | { readonly kind: "leave" };

/** Sent when they leave: the bytes of the watcher that received the least. */
export interface Left {
  readonly leastBytes: number;
}

export interface Received {
  readonly endedMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** As written in an event: the time at which it was reported. */
const mark = /<(\d+\.\d+)>/g;

/** All watchers read into this memory: a buffer for each read would cost more than reading. */
const memory = Buffer.allocUnsafe(256 * 1024);

interface Leaver {
  readonly bytesRead: number;
  leave(): void;
}

/** On a plain socket: what a client makes of an answer is not the hub's to pay for. */
class Watcher implements Leaver {
  readonly #socket: Socket;
  #rest = "";
  #thoughts = 0;
  #wanted: { readonly thoughts: number; readonly done: () => void } | undefined;
  readonly delays: number[] = [];

  constructor(url: URL, reads: boolean, gzip: boolean) {
    const port = Number(url.port);
    const callback = (length: number) => this.#take(length);
    this.#socket = connect({
      host: url.hostname,
      port,
      ...(reads && { onread: { buffer: memory, callback } }),
    });
    if (!reads) this.#socket.pause();
    this.#socket.on("error", () => undefined);
    const encoding = gzip ? "accept-encoding: gzip\r\n" : "";
    this.#socket.write(`GET ${url.pathname} HTTP/1.1\r\nhost: ${url.host}\r\n${encoding}\r\n`);
  }

  get bytesRead(): number {
    return this.#socket.bytesRead;
  }

  receive(thoughts: number): Promise<void> {
    return new Promise((done) => {
      this.#wanted = { thoughts, done };
      this.#settle();
    });
  }

  leave(): void {
    this.#socket.destroy();
  }

  /** Who is asked for nothing only reads. */
  #take(length: number): boolean {
    if (this.#wanted === undefined) return true;
    const all = this.#rest + memory.toString("latin1", 0, length);
    const end = all.lastIndexOf("\n\n");
    this.#rest = all.slice(end + 1);
    const now = nowMs();
    for (const [, sentMs] of all.slice(0, end + 1).matchAll(mark)) {
      this.#thoughts++;
      this.delays.push(now - Number(sentMs));
    }
    this.#settle();
    return true;
  }

  #settle(): void {
    if (this.#wanted === undefined || this.#thoughts < this.#wanted.thoughts) return;
    const { done } = this.#wanted;
    this.#wanted = undefined;
    this.#thoughts = 0;
    done();
  }
}

/** Only reads. */
class GrpcWatcher implements Leaver {
  readonly #socket: Socket;

  constructor(url: URL) {
    this.#socket = callOnSocket(url, memory);
  }

  get bytesRead(): number {
    return this.#socket.bytesRead;
  }

  leave(): void {
    this.#socket.destroy();
  }
}

let counted: readonly Watcher[] = [];
let watchers: readonly Leaver[] = [];

/** When the hub has answered, which it does at once. */
async function watch({ url, count, reads, form }: Order & { kind: "watch" }): Promise<void> {
  const address = new URL(url);
  const each = { length: count };
  if (form === "grpc") watchers = Array.from(each, () => new GrpcWatcher(address));
  else watchers = counted = Array.from(each, () => new Watcher(address, reads, form === "gzip"));
  await new Promise((resolve) => setTimeout(resolve, 500));
}

process.on("message", async (order: Order) => {
  if (order.kind === "watch") {
    await watch(order);
    process.send?.({ watching: watchers.length });
  } else if (order.kind === "await") {
    await Promise.all(counted.map((watcher) => watcher.receive(order.thoughts)));
    const delays = counted.flatMap((watcher) => watcher.delays.splice(0)).sort((one, other) => one - other);
    const at = (share: number) => delays[Math.floor(share * (delays.length - 1))] ?? Number.NaN;
    const received: Received = { endedMs: nowMs(), p50Ms: at(0.5), p99Ms: at(0.99) };
    process.send?.(received);
  } else {
    const left: Left = { leastBytes: Math.min(...watchers.map(({ bytesRead }) => bytesRead)) };
    for (const watcher of watchers) watcher.leave();
    watchers = counted = [];
    process.send?.(left);
  }
});
process.on("disconnect", () => process.exit());
