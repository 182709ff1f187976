import { once } from "node:events";
import type { StoreFiles } from "./files.ts";
import { startThread } from "./start-thread.ts";

/** What goes through the whole store. In the thread of the hub it would stop everything else for as long. */
export type Task =
  | { readonly kind: "check"; readonly files: StoreFiles }
  | { readonly kind: "backup"; readonly files: StoreFiles; readonly path: string };

/** What the thread answers. Throws what it throws. */
export async function runInThread(task: Task): Promise<unknown> {
  const worker = startThread(new URL("./thread.ts", import.meta.url), task);
  try {
    const [answer] = await once(worker, "message");
    return answer;
  } finally {
    await worker.terminate();
  }
}
