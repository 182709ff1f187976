import { setTimeout as pause } from "node:timers/promises";
import type { Recovery } from "./figures.ts";
import { limits } from "./limits.ts";
import type { Lives } from "./lives.ts";
import { hasEnded } from "./load/ledger.ts";
import type { Scene } from "./scene.ts";

/** Kills the hub with many pipelines under way, and measures until each of them moves again. */
export async function measureRecovery(scene: Scene, lives: Lives, pipelines: number): Promise<Recovery> {
  const { load, watcher } = scene;
  const submitted = await Promise.all(Array.from({ length: pipelines }, () => load.submit("slow")));
  await lives.kill();
  // What the watcher was sent before the kill it has heard by then.
  await pause(limits.lookMs);
  const still = new Set(submitted.flatMap((one) => (hasEnded(one.status) ? [] : [one.pipelineId])));
  const began = performance.now();
  const sinceMs = () => performance.now() - began;
  const moved: number[] = [];
  const ignore = watcher.listen(({ pipelineId }) => {
    if (still.delete(pipelineId)) moved.push(sinceMs());
  });
  await lives.begin();
  while (still.size > 0 && sinceMs() < limits.calmMs) {
    await pause(limits.lookMs / 10);
    // What turns out to have ended before the kill has nowhere to move.
    for (const one of submitted) if (hasEnded(one.status)) still.delete(one.pipelineId);
  }
  ignore();
  return {
    pipelines: moved.length,
    readyMs: lives.lastStartMs,
    firstMs: moved[0] ?? Number.NaN,
    lastMs: moved.at(-1) ?? Number.NaN,
  };
}
