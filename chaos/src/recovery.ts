import { setTimeout as pause } from "node:timers/promises";
import { PipelineSchema } from "@baton/contract";
import { toJsonString } from "@bufbuild/protobuf";
import type { Recovery } from "./figures.ts";
import type { HubSupervisor } from "./hub-supervisor.ts";
import { limits } from "./limits.ts";
import { hasEnded } from "./load/ledger.ts";
import type { Scene } from "./scene.ts";
import type { Violations } from "./violations.ts";

/** Kills the hub with many pipelines under way, and measures the time until each of them moves again. */
export async function measureRecovery(
  scene: Scene,
  supervisor: HubSupervisor,
  pipelines: number,
): Promise<Recovery> {
  const { load, watcher } = scene;
  const submitted = await Promise.all(Array.from({ length: pipelines }, () => load.submit("slow")));
  await supervisor.kill();
  // By then the watcher has received what was sent before the kill.
  await pause(limits.pollMs);
  const still = new Set(submitted.flatMap((one) => (hasEnded(one.status) ? [] : [one.pipelineId])));
  const began = performance.now();
  const sinceMs = () => performance.now() - began;
  const moved: number[] = [];
  const ignore = watcher.listen(({ pipelineId }) => {
    if (still.delete(pipelineId)) moved.push(sinceMs());
  });
  await supervisor.start();
  while (still.size > 0 && sinceMs() < limits.endMs) {
    await pause(limits.pollMs / 10);
    // Pipelines that ended before the kill do not move.
    for (const one of submitted) if (hasEnded(one.status)) still.delete(one.pipelineId);
  }
  ignore();
  return {
    pipelines: moved.length,
    readyMs: supervisor.lastStartMs,
    firstMs: moved[0] ?? Number.NaN,
    lastMs: moved.at(-1) ?? Number.NaN,
  };
}

/** Waits until every acknowledged pipeline has ended, and the watcher has received its end. */
export async function awaitEnds({ ledger, api, watcher }: Scene, violations: Violations): Promise<void> {
  const deadline = performance.now() + limits.endMs;
  const unheard = () => ledger.all.filter(({ pipelineId }) => !watcher.of(pipelineId).isEnded);
  while (ledger.open.length + unheard().length > 0 && performance.now() < deadline)
    await pause(limits.pollMs);
  for (const { pipelineId, scenario } of ledger.open) {
    const seen = await api.orchestrator.getPipeline({ pipelineId }).then(
      ({ pipeline }) => (pipeline ? toJsonString(PipelineSchema, pipeline) : "nothing"),
      (error: unknown) => String(error),
    );
    violations.add("every acknowledged pipeline ends", `${pipelineId} (${scenario}) hangs: ${seen}`);
  }
  for (const { pipelineId } of unheard())
    violations.add("a watcher receives the end of every pipeline", pipelineId);
}
