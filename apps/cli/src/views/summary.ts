import { ArtifactAction, type Pipeline, type Usage } from "@baton/contract/forms";
import { startOfRun } from "../hub/standing.ts";
import { piece } from "../terminal/ink.ts";
import type { Fact } from "../terminal/table.ts";
import { describeElapsed, elapsedMs } from "../terminal/time.ts";

/** What came of a pipeline that has ended (A §4.3 step 7). */
export function summaryFacts(pipeline: Pipeline): readonly Fact[] {
  const { summary } = pipeline;
  if (summary === undefined) return [];
  return [
    ["took", piece(describeTaken(pipeline))],
    ["stages", piece(describeStages(summary.stagesCompleted, summary.stagesSkipped))],
    ["retries", piece(count(summary.totalRetries))],
    ["rejections", piece(count(summary.totalRejections))],
    ["spent", piece(describeUsage(summary.usage))],
    ...summary.artifacts.map(({ path, action }): Fact => [describeAction(action), piece(path)]),
    ...summary.decisions.map(({ description }): Fact => ["decided", piece(description)]),
    ...summary.risks.map((risk): Fact => ["risk", piece(risk, "asks")]),
    ["left out", piece(describeLeftOut(summary.leftOut))],
  ];
}

/** From the first attempt to the end, as in the heading and on the page; and how long it had waited before that. */
function describeTaken(pipeline: Pipeline): string {
  const took = elapsedMs(startOfRun(pipeline), pipeline.summary?.timing?.finishedAt, Number.NaN);
  const waited = elapsedMs(pipeline.createdAt, startOfRun(pipeline), Number.NaN);
  if (took === undefined || Number.isNaN(took)) return "";
  const before =
    waited === undefined || !(waited >= 1_000)
      ? ""
      : `, after a wait of ${describeElapsed(waited)} for the first attempt`;
  return describeElapsed(took) + before;
}

export function describeUsage(usage: Usage | undefined): string {
  if (usage === undefined) return "";
  const tokens = usage.inputTokens + usage.outputTokens;
  return [
    tokens > 0n ? `${grouped(tokens)} tokens` : "",
    usage.costMicroUsd > 0n ? `$${(Number(usage.costMicroUsd) / 1e6).toFixed(4)}` : "",
    usage.steps > 0 ? `${usage.steps} ${usage.steps === 1 ? "step" : "steps"}` : "",
  ]
    .filter(Boolean)
    .join(", ");
}

function describeStages(completed: number, skipped: number): string {
  return `${completed} completed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

function describeLeftOut(leftOut: number): string {
  return leftOut === 0 ? "" : `${leftOut} more, which the results of the stages have`;
}

function describeAction(action: ArtifactAction): string {
  return action === ArtifactAction.UNSPECIFIED
    ? "artifact"
    : (ArtifactAction[action] ?? "artifact").toLowerCase();
}

function count(number: number): string {
  return number > 0 ? String(number) : "";
}

function grouped(number: bigint): string {
  return number.toLocaleString("en-US");
}
