import { EdgeKind, type Pipeline, PipelineStatus } from "@baton/contract/forms";
import { exitCode } from "../exit-code.ts";
import type { Hub } from "../hub/connect-hub.ts";
import { eventLine, heading } from "../story/story-line.ts";
import { count, describeDuration } from "../terminal/format.ts";
import { describeUsage } from "../views/runs/summary.ts";
import { pipelineStatusLabel } from "../views/status.ts";
import { checkRecord } from "./check-record.ts";
import type { DemoPrinter } from "./demo-printer.ts";

/** Prints the outcome of a task, and returns its exit code. */
export async function printSummary(
  hub: Hub,
  pipeline: Pipeline,
  { printer, signal }: { readonly printer: DemoPrinter; readonly signal: AbortSignal },
  task = "The task",
): Promise<number> {
  const { summary, stages, status, statusReason } = pipeline;
  const { word } = pipelineStatusLabel(status);
  const attempts = stages.reduce((sum, { attemptNumber }) => sum + attemptNumber, 0);
  const record = await checkRecord(hub, signal);
  await printer.printPaced(heading(`${task} is ${word}`, describeDuration(summary?.timing?.duration)));
  if (statusReason) printer.printLine(eventLine("reason", statusReason));
  printer.printLine(
    eventLine(
      "stages",
      `${count(stages.length, "stage")}, ${count(attempts, "attempt")}, ${(summary?.totalRejections ?? 0) + roundsOf(pipeline)} sent back`,
    ),
  );
  printer.printLine(
    eventLine("changed", (summary?.artifacts ?? []).map(({ path }) => path).join(", ") || "nothing"),
  );
  const decisions = (summary?.decisions ?? []).map(({ description }) => ({ text: description }));
  if (decisions.length > 0) printer.printLine(eventLine("decided", decisions));
  printer.printLine(eventLine("spent", describeUsage(summary?.usage) || "nothing"));
  const { entries, finding, isGood } = record;
  const text = `${count(entries, "audit entry", "audit entries")}: ${finding}`;
  printer.printLine(eventLine("record", [{ mark: isGood ? "done" : "failed", text }]));
  return status === PipelineStatus.COMPLETED ? exitCode.ok : exitCode.pipelineFailed;
}

/** How often edges back were taken, which are no rejections. */
function roundsOf({ stages }: Pipeline): number {
  return stages.flatMap(({ edges }) => edges).filter(({ kind, taken }) => kind === EdgeKind.BACK && taken)
    .length;
}
