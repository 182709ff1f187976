import type { Ref, RefFreshnessCheck } from "@baton/contract";
import type { RouteChoice, RouteRefusal, Verdict } from "./route.ts";

/** Explains a routing decision to people (DIS-09): each candidate, why, and what would change it. */
export function explainRoute(taskType: string, decision: RouteChoice | RouteRefusal): string {
  const heading =
    "instanceId" in decision
      ? `"${taskType}" went to ${decision.instanceId} of pack "${decision.packId}"${decision.usedFallback ? ", the fallback" : ""}`
      : `"${taskType}" went nowhere: ${decision.reason}`;
  const lines = decision.verdicts.map(explainVerdict);
  const way = "remedy" in decision ? [`  what would help: ${decision.remedy}`] : [];
  return [heading, `  routing policy ${decision.policyVersion}`, ...lines, ...way].join("\n");
}

function explainVerdict({ packId, instanceId, eligible, rank, reason, remedy }: Verdict): string {
  const who = instanceId ? `${instanceId} (${packId})` : `pack "${packId}"`;
  const position = eligible ? `${rank}.` : "-";
  return `  ${position} ${who}: ${reason}${remedy ? `; to be taken: ${remedy}` : ""}`;
}

/** The stale references of a dispatch, as lines after the choice (DIS-09); empty when all were fresh. */
export function explainFreshness(checks: readonly RefFreshnessCheck[], refs: readonly Ref[]): string {
  const lines = checks.flatMap(({ uriOrLocator, wasStale, refreshSucceeded }, index) => {
    if (!wasStale) return [];
    const reason = refs[index]?.degradedReason;
    const what = refreshSucceeded ? "was too old, and read again" : "is too old, and could not be read again";
    return [`  reference ${uriOrLocator}: ${what}${reason ? `: ${reason}` : ""}`];
  });
  return lines.map((line) => `\n${line}`).join("");
}

/** The omitted context of a dispatch, as lines after the choice (DIS-10); empty without omissions. */
export function explainOmitted(omitted: readonly string[]): string {
  return omitted.map((line) => `\n  left out of the context: ${line}`).join("");
}
