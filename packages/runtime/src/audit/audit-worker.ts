import type { Worker } from "node:worker_threads";
import { startThread } from "../lib/start-thread.ts";
import type { Store } from "../ports/store.ts";
import { fromTransferred, type TransferredError } from "../stores/sqlite/error-transfer.ts";
import { type JobName, type Jobs, jobsOn } from "./jobs.ts";

/** Executes jobs on audit records. */
export interface AuditWorker extends Jobs {
  close(): Promise<void>;
}

export interface JobRequest {
  readonly id: number;
  readonly name: JobName;
  readonly args: readonly unknown[];
}

export type JobResponse =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string; readonly ofStore?: TransferredError };

/** Executes jobs in the caller's thread, for stores in memory. */
export function inlineAuditWorker(store: Store): AuditWorker {
  return { ...jobsOn(store), close: async () => {} };
}

/** Executes jobs in a thread with its own connection, which starts with the first job. */
export function threadAuditWorker(directory: string): AuditWorker {
  const waiting = new Map<number, { done: (result: never) => void; failed: (error: Error) => void }>();
  let worker: Worker | undefined;
  let count = 0;

  function start(): Worker {
    const started = startThread(new URL("./audit-worker-thread.ts", import.meta.url), directory);
    let reason: Error | undefined;
    started.unref();
    started.on("message", (answer: JobResponse) => {
      const job = waiting.get(answer.id);
      waiting.delete(answer.id);
      if (waiting.size === 0) started.unref();
      if ("result" in answer) job?.done(answer.result as never);
      else job?.failed(answer.ofStore ? fromTransferred(answer.ofStore) : new Error(answer.error));
    });
    started.on("error", (error) => {
      reason = error instanceof Error ? error : new Error(String(error));
    });
    started.on("exit", () => {
      if (worker === started) worker = undefined;
      for (const { failed } of waiting.values()) failed(reason ?? new Error("the audit thread has ended"));
      waiting.clear();
    });
    return started;
  }

  function ask<Result>(name: JobName, ...args: readonly unknown[]): Promise<Result> {
    worker ??= start();
    const current = worker;
    return new Promise<Result>((done, failed) => {
      const id = ++count;
      waiting.set(id, { done: done as (result: never) => void, failed });
      current.ref();
      const request: JobRequest = { id, name, args };
      current.postMessage(request);
    });
  }

  return {
    ends: () => ask("ends"),
    heads: () => ask("heads"),
    grow: (from, maxEntries) => ask("grow", from, maxEntries),
    verify: (tenantId, trust) => ask("verify", tenantId, trust),
    include: (tenantId, sequences, treeSize) => ask("include", tenantId, sequences, treeSize),
    leadBack: (tenantId, kept, treeSize) => ask("leadBack", tenantId, kept, treeSize),
    append: (catchUp) => ask("append", catchUp),
    async close() {
      await worker?.terminate();
    },
  };
}

/** Working on fewer entries takes less time than starting a thread. */
export const inlineEntryLimit = 256n;

/**
 * Executes long jobs in a thread and short ones in the caller, so that a hub with few entries never starts the thread.
 */
export function adaptiveAuditWorker(store: Store, directory: string): AuditWorker {
  const [here, thread] = [inlineAuditWorker(store), threadAuditWorker(directory)];
  return {
    ...thread,
    ends: () => here.ends(),
    heads: () => here.heads(),
    async grow(from, maxEntries) {
      const end = (await here.ends()).get(from.head.tenantId) ?? 0n;
      const isShort = end - from.head.sequence <= inlineEntryLimit;
      return (isShort ? here : thread).grow(from, maxEntries);
    },
  };
}
