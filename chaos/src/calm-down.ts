import { setTimeout as pause } from "node:timers/promises";
import { PipelineSchema } from "@baton/contract";
import { toJsonString } from "@bufbuild/protobuf";
import { limits } from "./limits.ts";
import type { Scene } from "./scene.ts";
import type { Violations } from "./violations.ts";

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
