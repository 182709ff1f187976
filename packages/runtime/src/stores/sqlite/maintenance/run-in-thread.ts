import { once } from "node:events";
import { startThread } from "../../../lib/start-thread.ts";
import type { StoreFiles } from "../files.ts";

/** Tasks that read the whole store, and would block the thread of the hub. */
export type Task =
  | { readonly kind: "check"; readonly files: StoreFiles }
  | { readonly kind: "backup"; readonly files: StoreFiles; readonly path: string };

/** Resolves to the answer of the thread, or rejects with its error. */
export async function runInThread(task: Task): Promise<unknown> {
  const worker = startThread(new URL("./thread.ts", import.meta.url), task);
  try {
    const [answer] = await once(worker, "message");
    return answer;
  } finally {
    await worker.terminate();
  }
}
