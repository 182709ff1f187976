import type { Worker } from "node:worker_threads";
import { startThread } from "../stores/sqlite/start-thread.ts";
import type { WayOut } from "./filter.ts";

/** In the order of their numbers in the shared memory, from 1 on. */
export const waysOut = ["audit", "listing", "event", "answer", "error", "agent", "log"] as const;

/**
 * Tells that redaction does not come back, while it does not: the thread that redacts stands still and can tell nothing.
 * A thread beside it looks every now and then whether it is still in the same call, and writes the line of the log itself.
 */
export interface StallWatch {
  /** Says which call is being made; gives the one that it is made in. */
  enter(way: WayOut): number;
  leave(before: number): void;
  close(): Promise<void>;
}

/** What the two threads share: how many calls were made, and which way out the present one is of (0: none). */
export const shared = { calls: 0, way: 1, size: 2 } as const;

export interface StallOptions {
  readonly memory: SharedArrayBuffer;
  /** A call that is still the same after this long stands still. */
  readonly limitMs: number;
}

export function watchStalls(limitMs: number): StallWatch {
  const memory = new SharedArrayBuffer(shared.size * Int32Array.BYTES_PER_ELEMENT);
  const seen = new Int32Array(memory);
  const options: StallOptions = { memory, limitMs };
  const worker: Worker = startThread(new URL("./stall-thread.ts", import.meta.url), options);
  worker.unref();
  return {
    enter(way) {
      Atomics.add(seen, shared.calls, 1);
      return Atomics.exchange(seen, shared.way, waysOut.indexOf(way) + 1);
    },
    leave: (before) => void Atomics.store(seen, shared.way, before),
    close: async () => void (await worker.terminate()),
  };
}
