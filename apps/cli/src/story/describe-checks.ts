import { type GateCheck, GateCheckStatus } from "@baton/contract/forms";
import { nothingChecked } from "@baton/kernel/deciding";
import { eventLine, type Statement, type StoryLine } from "./story-line.ts";

/** The checks of a gate. Says that nothing was checked only where nobody reviewed. */
export function describeChecks(checks: readonly GateCheck[], isReviewed: boolean): readonly StoryLine[] {
  const described = checks.filter(({ disproved }) => !disproved).flatMap(describeCheck);
  const lies = checks.filter(({ disproved }) => disproved).map(describeFalseClaim);
  const checked = described.length > 0 ? [eventLine("checked", described)] : [];
  if (checked.length + lies.length > 0) return [...checked, ...lies];
  return isReviewed ? [] : [eventLine("checked", [{ mark: "left", text: nothingChecked }])];
}

function describeCheck(check: GateCheck): readonly Statement[] {
  const { gateName, status } = check;
  if (status === GateCheckStatus.NOT_APPLICABLE) return [];
  const mark = status === GateCheckStatus.PASSED ? "done" : "failed";
  return [{ mark, text: `${gateName}: ${describeOutcome(check)}` }];
}

/** How the command ended, and whether the agent had claimed so. Older records have only text. */
function describeOutcome({ evidence, run, claim }: GateCheck): string {
  if (!run) return withoutOutput(evidence);
  if (!claim) return `${describeRun(run)}, run by the hub`;
  if (claim.passed === run.passed) return `${describeRun(run)}, run again by the hub`;
  return `${describeRun(run)}, and the agent had claimed that it ${claim.passed ? "passed" : "failed"}`;
}

/** What the agent claimed, and below it what the hub saw. */
function describeFalseClaim({ gateName, claim, run, evidence }: GateCheck): StoryLine {
  const claimed = claim
    ? `the agent claimed "${firstLine(claim.output) || "it passes"}"`
    : firstLine(evidence);
  const seen = run ? [{ text: `the hub ran it: ${describeRun(run)}${countOfFailures(run.output)}` }] : [];
  return eventLine("caught", [{ mark: "failed", text: `${gateName}: ${claimed}` }, ...seen], "bad");
}

function describeRun({ command, exitCode }: { readonly command: string; readonly exitCode: number }): string {
  return exitCode < 0 ? `"${command}" did not end by itself` : `"${command}" ended with ${exitCode}`;
}

/** The line of a program's output that says how many failed. */
function countOfFailures(output: string): string {
  const words = output.split("\n").findLast((line) => /\bfail(ed|ures?|ing)?:? +\d+|\b\d+ fail/i.test(line));
  return words === undefined ? "" : `: ${words.replace(/^[^a-z0-9]+/i, "").trim()}`;
}

/** Entries of earlier versions describe the run as text: `"node --test" ended with 0: …`. */
function withoutOutput(evidence: string): string {
  const claimed = /^the hub saw: (".*" ended with \d+)/m.exec(evidence)?.[1];
  if (claimed !== undefined) return `${claimed}, and the agent had claimed that it passed`;
  const ran = /^".*" ended with \d+(?=:)/.exec(evidence)?.[0];
  return ran === undefined ? firstLine(evidence) : `${ran}, run again by the hub`;
}

function firstLine(text: string): string {
  return text.split("\n")[0] ?? "";
}
