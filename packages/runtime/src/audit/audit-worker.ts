import { WorkerCalls } from "../lib/worker-calls.ts";
import type { Store } from "../ports/store.ts";
import { fromTransferred, type TransferredError } from "../stores/sqlite/error-transfer.ts";
import { type JobName, type Jobs, jobsOn } from "./jobs.ts";

/** Executes jobs on audit records. */
export interface AuditWorker extends Jobs {
  close(): Promise<void>;
}

export interface JobRequest {
  readonly name: JobName;
  readonly args: readonly unknown[];
}

export type JobResponse =
  | { readonly result: unknown }
  | { readonly error: string; readonly ofStore?: TransferredError };

/** Executes jobs in the caller's thread, for stores in memory. */
export function inlineAuditWorker(store: Store): AuditWorker {
  return { ...jobsOn(store), close: async () => {} };
}

/** Executes jobs in a thread with its own connection, which starts with the first job. */
export function threadAuditWorker(directory: string): AuditWorker {
  const source = new URL("./audit-worker-thread.ts", import.meta.url);
  const calls = new WorkerCalls<JobRequest, JobResponse>(source, directory);

  async function ask<Result>(name: JobName, ...args: readonly unknown[]): Promise<Result> {
    const answer = await calls.call({ name, args });
    if ("result" in answer) return answer.result as Result;
    throw answer.ofStore ? fromTransferred(answer.ofStore) : new Error(answer.error);
  }

  return {
    ends: () => ask("ends"),
    heads: () => ask("heads"),
    grow: (from, maxEntries) => ask("grow", from, maxEntries),
    verify: (tenantId, trust) => ask("verify", tenantId, trust),
    include: (tenantId, sequences, treeSize) => ask("include", tenantId, sequences, treeSize),
    leadBack: (tenantId, kept, treeSize) => ask("leadBack", tenantId, kept, treeSize),
    append: (catchUp) => ask("append", catchUp),
    close: () => calls.terminate(),
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
