import type { Worker } from "node:worker_threads";
import type { Store } from "../ports/store.ts";
import { startThread } from "../stores/sqlite/start-thread.ts";
import { hearError, type ToldError } from "../stores/sqlite/writing/told-error.ts";
import { type JobName, type Jobs, jobsOn } from "./jobs.ts";

/** Where work on records is done. */
export interface Workshop extends Jobs {
  close(): Promise<void>;
}

export interface Order {
  readonly id: number;
  readonly name: JobName;
  readonly args: readonly unknown[];
}

export type Answer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string; readonly told?: ToldError };

/** In the thread of the caller: for a store in memory, which no other thread can see. */
export function workshopHere(store: Store): Workshop {
  return { ...jobsOn(store), close: async () => {} };
}

/** In a thread with a connection of its own, so that the hub goes on meanwhile. It begins with the first job. */
export function workshopInThread(directory: string): Workshop {
  const waiting = new Map<number, { done: (result: never) => void; failed: (error: Error) => void }>();
  let worker: Worker | undefined;
  let count = 0;

  function start(): Worker {
    const started = startThread(new URL("./workshop-thread.ts", import.meta.url), directory);
    let reason: Error | undefined;
    started.unref();
    started.on("message", (answer: Answer) => {
      const asked = waiting.get(answer.id);
      waiting.delete(answer.id);
      if (waiting.size === 0) started.unref();
      if ("result" in answer) asked?.done(answer.result as never);
      else asked?.failed(answer.told ? hearError(answer.told) : new Error(answer.error));
    });
    started.on("error", (error) => {
      reason = error instanceof Error ? error : new Error(String(error));
    });
    started.on("exit", () => {
      if (worker === started) worker = undefined;
      for (const { failed } of waiting.values())
        failed(reason ?? new Error("the thread of the audit has ended"));
      waiting.clear();
    });
    return started;
  }

  function ask<Result>(name: JobName, ...args: readonly unknown[]): Promise<Result> {
    worker ??= start();
    const at = worker;
    return new Promise<Result>((done, failed) => {
      const id = ++count;
      waiting.set(id, { done: done as (result: never) => void, failed });
      at.ref();
      const order: Order = { id, name, args };
      at.postMessage(order);
    });
  }

  return {
    ends: () => ask("ends"),
    heads: () => ask("heads"),
    grow: (from, mostEntries) => ask("grow", from, mostEntries),
    verify: (tenantId, trust) => ask("verify", tenantId, trust),
    include: (tenantId, sequences, treeSize) => ask("include", tenantId, sequences, treeSize),
    leadBack: (tenantId, kept, treeSize) => ask("leadBack", tenantId, kept, treeSize),
    append: (catchUp) => ask("append", catchUp),
    async close() {
      await worker?.terminate();
    },
  };
}
