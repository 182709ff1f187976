import { setTimeout as pause } from "node:timers/promises";
import { PipelineSchema } from "@baton/contract";
import { toJsonString } from "@bufbuild/protobuf";
import type { Recovery } from "./figures.ts";
import type { Lives } from "./hub-supervisor.ts";
import { limits } from "./limits.ts";
import { hasEnded } from "./load/ledger.ts";
import type { Scene } from "./scene.ts";
import type { Violations } from "./violations.ts";

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

/** Waits until everything that was acknowledged has ended, and whoever watches has heard so. */
export async function calmDown({ ledger, api, watcher }: Scene, violations: Violations): Promise<void> {
  const deadline = performance.now() + limits.calmMs;
  const unheard = () => ledger.all.filter(({ pipelineId }) => !watcher.of(pipelineId).isEnded);
  while (ledger.open.length + unheard().length > 0 && performance.now() < deadline)
    await pause(limits.lookMs);
  for (const { pipelineId, scenario } of ledger.open) {
    const seen = await api.orchestrator.getPipeline({ pipelineId }).then(
      ({ pipeline }) => (pipeline ? toJsonString(PipelineSchema, pipeline) : "nothing"),
      (error: unknown) => String(error),
    );
    violations.add("every acknowledged pipeline ends", `${pipelineId} (${scenario}) hangs: ${seen}`);
  }
  for (const { pipelineId } of unheard())
    violations.add("the end of a pipeline is told to those who watch", pipelineId);
}
