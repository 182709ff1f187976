import { type Pipeline, PipelineStatus } from "@baton/contract/forms";
import { exitCode } from "../exit-code.ts";
import type { Hub } from "../hub/connect-hub.ts";
import { deed, heading } from "../narration/beat.ts";
import { count } from "../narration/count.ts";
import { describeDuration } from "../terminal/time.ts";
import { showPipelineStatus } from "../views/status.ts";
import { describeUsage } from "../views/summary.ts";
import type { Narrator } from "./narrator.ts";
import { checkRecord } from "./record.ts";

/** What came of a task, and the exit code that this is worth. */
export async function sumUp(
  hub: Hub,
  pipeline: Pipeline,
  { narrator, signal }: { readonly narrator: Narrator; readonly signal: AbortSignal },
  task = "The task",
): Promise<number> {
  const { summary, stages, status, statusReason } = pipeline;
  const { word } = showPipelineStatus(status);
  const attempts = stages.reduce((sum, { attemptNumber }) => sum + attemptNumber, 0);
  const record = await checkRecord(hub, signal);
  await narrator.tell(heading(`${task} is ${word}`, describeDuration(summary?.timing?.duration)));
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
  return status === PipelineStatus.COMPLETED ? exitCode.ok : exitCode.pipelineFailed;
}
