import { setTimeout as wait } from "node:timers/promises";

/** Waits; ends with the signal's reason when that fires first. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(ms, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}
