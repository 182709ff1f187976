import type { Switchboard } from "../agents/switchboard.ts";
import type { Clock } from "../ports/clock.ts";

/**
 * Gives agents that are at work up to `graceMs` to answer. Nothing new is sent to them meanwhile: what is decided now,
 * the hub's next life sends.
 */
export async function letFinish(switchboard: Switchboard, graceMs: number, clock: Clock): Promise<void> {
  switchboard.withhold();
  if (graceMs <= 0) return;
  await new Promise<void>((resolve) => {
    const stop = clock.after(graceMs, resolve);
    void switchboard.quiet().then(() => {
      stop();
      resolve();
    });
  });
  // What was answered last is acknowledged first.
  await new Promise<void>((resolve) => clock.soon(resolve));
}
