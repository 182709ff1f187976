/** Watchers by server-sent events, in a process of their own: each counts what it hears, and how long it was on its way. */
import { get, type IncomingMessage } from "node:http";
import { nowMs } from "./emit.ts";

export type Order =
  | { readonly kind: "watch"; readonly url: string; readonly count: number; readonly reads: boolean }
  /** Answers when every watcher has heard so many thoughts since the last time. */
  | { readonly kind: "hear"; readonly thoughts: number }
  | { readonly kind: "leave" };

export interface Heard {
  readonly endedMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** As it stands in an event: the time at which it was told. */
const mark = /<(\d+\.\d+)>/g;

class Watcher {
  readonly #response: IncomingMessage;
  #rest = "";
  #thoughts = 0;
  #wanted: { readonly thoughts: number; readonly done: () => void } | undefined;
  readonly delays: number[] = [];

  constructor(response: IncomingMessage, reads: boolean) {
    this.#response = response;
    if (reads) response.setEncoding("latin1").on("data", (text: string) => this.#take(text));
    else response.pause();
    response.on("error", () => undefined);
  }

  hear(thoughts: number): Promise<void> {
    return new Promise((done) => {
      this.#wanted = { thoughts, done };
      this.#settle();
    });
  }

  leave(): void {
    this.#response.destroy();
  }

  #take(text: string): void {
    const all = this.#rest + text;
    const end = all.lastIndexOf("\n\n");
    this.#rest = all.slice(end + 1);
    const now = nowMs();
    for (const [, told] of all.slice(0, end + 1).matchAll(mark)) {
      this.#thoughts++;
      this.delays.push(now - Number(told));
    }
    this.#settle();
  }

  #settle(): void {
    if (this.#wanted === undefined || this.#thoughts < this.#wanted.thoughts) return;
    const { done } = this.#wanted;
    this.#wanted = undefined;
    this.#thoughts = 0;
    done();
  }
}

let watchers: Watcher[] = [];

function watch(url: string, reads: boolean): Promise<Watcher> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, (response) => resolve(new Watcher(response, reads))).on("error", reject);
  });
}

process.on("message", async (order: Order) => {
  if (order.kind === "watch") {
    watchers = await Promise.all(Array.from({ length: order.count }, () => watch(order.url, order.reads)));
    process.send?.({ watching: watchers.length });
  } else if (order.kind === "hear") {
    await Promise.all(watchers.map((watcher) => watcher.hear(order.thoughts)));
    const delays = watchers.flatMap((watcher) => watcher.delays.splice(0)).sort((one, other) => one - other);
    const at = (share: number) => delays[Math.floor(share * (delays.length - 1))] ?? Number.NaN;
    const heard: Heard = { endedMs: nowMs(), p50Ms: at(0.5), p99Ms: at(0.99) };
    process.send?.(heard);
  } else {
    for (const watcher of watchers.splice(0)) watcher.leave();
    process.send?.({ left: true });
  }
});
process.on("disconnect", () => process.exit());
