import { setTimeout as pause } from "node:timers/promises";

/** Waits for what comes about by itself, however long it takes. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(5);
}
