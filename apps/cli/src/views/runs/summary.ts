import type { Pipeline, ResultTiming, Usage } from "@baton/contract/forms";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { describeElapsed, elapsedMs } from "../../terminal/format.ts";
import { piece } from "../../terminal/paint.ts";
import type { Fact } from "../../terminal/table.ts";

/** The counts of a run that has ended (A §4.3 step 7). */
export function summaryFacts({ summary, createdAt }: Pipeline): readonly Fact[] {
  if (summary === undefined) return [];
  return [
    ["took", piece(describeTaken(createdAt, summary.timing))],
    ["stages", piece(describeStages(summary.stagesCompleted, summary.stagesSkipped))],
    ["retries", piece(count(summary.totalRetries))],
    ["rejections", piece(count(summary.totalRejections))],
    ["spent", piece(describeUsage(summary.usage) || "nothing was reported")],
    ...modelFacts(summary.usage),
    ...summary.decisions.map(
      ({ description, rationale }): Fact => [
        "decided",
        piece([description, rationale].filter(Boolean).join(": ")),
      ],
    ),
    ...summary.risks.map((risk): Fact => ["risk", piece(risk, "asks")]),
    ["left out", piece(describeLeftOut(summary.leftOut))],
  ];
}

/** From submission to the end, as in the heading, and the time before the first attempt. */
function describeTaken(createdAt: Timestamp | undefined, timing: ResultTiming | undefined): string {
  const all = elapsedMs(createdAt, timing?.finishedAt, Number.NaN);
  const until = elapsedMs(createdAt, timing?.startedAt, Number.NaN);
  if (all === undefined || Number.isNaN(all)) return "";
  const waited =
    until === undefined || !(until >= 1_000)
      ? ""
      : `, ${describeElapsed(until)} of it before the first attempt`;
  return describeElapsed(all) + waited;
}

export function describeUsage(usage: Usage | undefined): string {
  if (usage === undefined) return "";
  const tokens = usage.inputTokens + usage.outputTokens;
  return [
    tokens > 0n ? `${grouped(tokens)} tokens` : "",
    describeCost(usage),
    usage.steps > 0 ? `${usage.steps} ${usage.steps === 1 ? "step" : "steps"}` : "",
  ]
    .filter(Boolean)
    .join(", ");
}

/** Empty where no cost is stated. A cost that is partly unknown is never given as the whole. */
export function describeCost({
  costMicroUsd,
  costUnknown,
}: Pick<Usage, "costMicroUsd" | "costUnknown">): string {
  const dollars = costMicroUsd > 0n ? `$${(Number(costMicroUsd) / 1e6).toFixed(4)}` : "";
  if (!costUnknown) return dollars;
  return dollars === "" ? "cost unknown" : `more than ${dollars}`;
}

/** One line for each model. */
function modelFacts(usage: Usage | undefined): readonly Fact[] {
  return (usage?.models ?? []).map((spent): Fact => {
    const calls = spent.calls === 0 ? "" : `${spent.calls} ${spent.calls === 1 ? "call" : "calls"}`;
    const tokens = `${grouped(spent.inputTokens)} tokens read${cached(spent.cacheReadTokens)}, ${grouped(spent.outputTokens)} written`;
    const name = [spent.provider, spent.model].filter(Boolean).join("/");
    return ["model", piece(`${name}: ${[calls, tokens, describeCost(spent)].filter(Boolean).join(", ")}`)];
  });
}

function cached(tokens: bigint): string {
  return tokens > 0n ? ` (${grouped(tokens)} from a cache)` : "";
}

function describeStages(completed: number, skipped: number): string {
  return `${completed} completed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

function describeLeftOut(leftOut: number): string {
  return leftOut === 0 ? "" : `${leftOut} more, which the results of the stages have`;
}

function count(number: number): string {
  return number > 0 ? String(number) : "";
}

export function grouped(number: bigint): string {
  return number.toLocaleString("en-US");
}
