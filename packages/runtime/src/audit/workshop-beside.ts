import type { Store } from "../ports/store.ts";
import { type Workshop, workshopHere, workshopInThread } from "./workshop.ts";

/** So many entries are worked on in less time than a thread takes to begin. */
export const fewEntries = 256n;

/**
 * In a thread, so that the hub goes on meanwhile, except for what takes less time than to begin one: a hub that is stopped
 * soon after its start, or that has little to do, never has it.
 */
export function workshopBeside(store: Store, directory: string): Workshop {
  const [here, thread] = [workshopHere(store), workshopInThread(directory)];
  return {
    ...thread,
    ends: () => here.ends(),
    heads: () => here.heads(),
    async grow(from, mostEntries) {
      const end = (await here.ends()).get(from.head.tenantId) ?? 0n;
      const isShort = end - from.head.sequence <= fewEntries;
      return (isShort ? here : thread).grow(from, mostEntries);
    },
  };
}
