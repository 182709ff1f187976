import { WorkerCalls } from "../../../lib/worker-calls.ts";
import type { StoreFiles } from "../files.ts";

/** Tasks that read the whole store, and would block the thread of the hub. */
export type Task =
  | { readonly kind: "check"; readonly files: StoreFiles }
  | { readonly kind: "backup"; readonly files: StoreFiles; readonly path: string };

/** Resolves to the answer of the thread, or rejects with its error. */
export async function runInThread(task: Task): Promise<unknown> {
  const calls = new WorkerCalls<Task, unknown>(new URL("./thread.ts", import.meta.url));
  try {
    return await calls.call(task);
  } finally {
    await calls.terminate();
  }
}
