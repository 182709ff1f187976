import { type Pipeline, PipelineStatus } from "@baton/contract";
import { CliError } from "../errors/cli-error.ts";
import { exitCode } from "../exit-code.ts";
import type { Hub } from "../hub/connect-hub.ts";
import { deed, heading, type Told } from "../narration/beat.ts";
import { count } from "../narration/count.ts";
import { Scene } from "../narration/scene.ts";
import { tellStory } from "../narration/story.ts";
import { buildRequest } from "../task/build-request.ts";
import { describeDuration } from "../terminal/time.ts";
import { showPipelineStatus } from "../views/status.ts";
import { describeUsage } from "../views/summary.ts";
import type { DemoFolder } from "./demo-folder.ts";
import type { Example } from "./example.ts";
import type { Narrator } from "./narrator.ts";
import { checkRecord } from "./record.ts";

interface Setting {
  readonly folder: DemoFolder;
  readonly example: Example;
  readonly narrator: Narrator;
  readonly signal: AbortSignal;
}

/** Gives the hub the example's task, tells what becomes of it, and sums up. */
export async function showTask(
  hub: Hub,
  { folder, example, narrator, signal }: Setting,
): Promise<{ readonly code: number; readonly pipeline: Pipeline }> {
  const request = buildRequest(undefined, { file: example.task, repository: folder.repository });
  const { pipeline } = await hub.orchestrator.submitTask(request, { signal });
  if (pipeline === undefined) {
    throw new CliError("BATON-CLI-008", "the hub took the task and named no pipeline", {
      fix: "its log tells more",
    });
  }
  narrator.say(heading("The task", request.contract?.title));
  const criteria = request.contract?.acceptanceCriteria ?? [];
  narrator.say(
    deed(
      "wanted",
      criteria.map((text) => ({ text })),
    ),
  );
  narrator.say(deed("stages", pipeline.stages.map(({ stageId }) => stageId).join(", ")));
  const scene = new Scene();
  const tell = async (told: Told) => {
    for (const beat of scene.show(told)) await narrator.tell(beat);
  };
  const seen = await tellStory({ hub, pipeline, signal, untilItWaits: true, extras: ["thoughts"], tell });
  await sumUp(hub, seen.pipeline, narrator, signal);
  const isDone = seen.pipeline.status === PipelineStatus.COMPLETED;
  return { code: isDone ? exitCode.ok : exitCode.pipelineFailed, pipeline: seen.pipeline };
}

async function sumUp(hub: Hub, pipeline: Pipeline, narrator: Narrator, signal: AbortSignal): Promise<void> {
  const { summary, stages, status, statusReason } = pipeline;
  const { word } = showPipelineStatus(status);
  const attempts = stages.reduce((sum, { attemptNumber }) => sum + attemptNumber, 0);
  const record = await checkRecord(hub, signal);
  await narrator.tell(heading(`The task is ${word}`, describeDuration(summary?.timing?.duration)));
  if (statusReason) narrator.say(deed("reason", statusReason));
  narrator.say(
    deed(
      "stages",
      `${count(stages.length, "stage")}, ${count(attempts, "attempt")}, ${summary?.totalRejections ?? 0} sent back`,
    ),
  );
  narrator.say(deed("changed", (summary?.artifacts ?? []).map(({ path }) => path).join(", ") || "nothing"));
  narrator.say(
    deed(
      "decided",
      (summary?.decisions ?? []).map(({ description }) => ({ text: description })),
    ),
  );
  narrator.say(deed("spent", describeUsage(summary?.usage) || "nothing"));
  const { entries, finding, isGood } = record;
  const text = `${count(entries, "audit entry", "audit entries")}: ${finding}`;
  narrator.say(deed("record", [{ mark: isGood ? "done" : "failed", text }]));
}
