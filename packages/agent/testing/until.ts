import { setTimeout as pause } from "node:timers/promises";

/** Polls until the condition holds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(5);
}
