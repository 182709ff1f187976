import type { Worker } from "node:worker_threads";
import { startThread } from "../lib/worker-calls.ts";
import type { Egress } from "./egress-filter.ts";

/** Numbered from 1 in the shared memory. */
export const egresses = ["audit", "listing", "event", "answer", "error", "agent", "webhook", "log"] as const;

/**
 * Reports redaction that does not return, while the redacting thread is blocked: another thread checks periodically
 * whether the call is still the same, and writes the line of the log itself.
 */
export interface StallWatch {
  /** Marks the current call; returns the enclosing one. */
  enter(egress: Egress): number;
  leave(before: number): void;
  close(): Promise<void>;
}

/** Shared memory: the number of calls and the egress of the current call (0: none). */
export const shared = { calls: 0, egress: 1, size: 2 } as const;

export interface StallOptions {
  readonly memory: SharedArrayBuffer;
  /** Time after which a call counts as stalled. */
  readonly limitMs: number;
}

export function watchStalls(limitMs: number): StallWatch {
  const memory = new SharedArrayBuffer(shared.size * Int32Array.BYTES_PER_ELEMENT);
  const seen = new Int32Array(memory);
  const options: StallOptions = { memory, limitMs };
  const worker: Worker = startThread(new URL("./stall-thread.ts", import.meta.url), options);
  worker.unref();
  return {
    enter(egress) {
      Atomics.add(seen, shared.calls, 1);
      return Atomics.exchange(seen, shared.egress, egresses.indexOf(egress) + 1);
    },
    leave: (before) => void Atomics.store(seen, shared.egress, before),
    close: async () => void (await worker.terminate()),
  };
}
