import { type GateCheck, GateCheckStatus } from "@baton/contract/forms";
import { nothingChecked } from "@baton/kernel/deciding";
import { type Beat, deed, type Said } from "./beat.ts";

/** What the gate looked at, and what it saw. Where somebody reviewed it, that nothing applied need not be said. */
export function tellChecks(checks: readonly GateCheck[], isReviewed: boolean): readonly Beat[] {
  const said = checks.filter(({ disproved }) => !disproved).flatMap(tellCheck);
  const lies = checks.filter(({ disproved }) => disproved).map(tellLie);
  const checked = said.length > 0 ? [deed("checked", said)] : [];
  if (checked.length + lies.length > 0) return [...checked, ...lies];
  return isReviewed ? [] : [deed("checked", [{ mark: "left", text: nothingChecked }])];
}

function tellCheck(check: GateCheck): readonly Said[] {
  const { gateName, status } = check;
  if (status === GateCheckStatus.NOT_APPLICABLE) return [];
  const mark = status === GateCheckStatus.PASSED ? "done" : "failed";
  return [{ mark, text: `${gateName}: ${briefly(check)}` }];
}

/** How the command ended, and whether the agent had said so. Records of before have only the words. */
function briefly({ evidence, run, claim }: GateCheck): string {
  if (!run) return withoutOutput(evidence);
  if (!claim) return `${describeRun(run)}, run by the hub`;
  if (claim.passed === run.passed) return `${describeRun(run)}, run again by the hub`;
  return `${describeRun(run)}, and the agent had claimed that it ${claim.passed ? "passed" : "failed"}`;
}

/** What the agent said and what the hub saw, one below the other. */
function tellLie({ gateName, claim, run, evidence }: GateCheck): Beat {
  const claimed = claim
    ? `the agent claimed "${firstLine(claim.output) || "it passes"}"`
    : firstLine(evidence);
  const seen = run ? [{ text: `the hub ran it: ${describeRun(run)}${countOfFailures(run.output)}` }] : [];
  return deed("caught", [{ mark: "failed", text: `${gateName}: ${claimed}` }, ...seen], "bad");
}

function describeRun({ command, exitCode }: { readonly command: string; readonly exitCode: number }): string {
  return exitCode < 0 ? `"${command}" did not end by itself` : `"${command}" ended with ${exitCode}`;
}

/** Of what a program printed, the line that says how many failed, where there is one. */
function countOfFailures(output: string): string {
  const words = output.split("\n").findLast((line) => /\bfail(ed|ures?|ing)?:? +\d+|\b\d+ fail/i.test(line));
  return words === undefined ? "" : `: ${words.replace(/^[^a-z0-9]+/i, "").trim()}`;
}

/** Entries of earlier versions hold what was run in words: `"node --test" ended with 0: …`. */
function withoutOutput(evidence: string): string {
  const claimed = /^the hub saw: (".*" ended with \d+)/m.exec(evidence)?.[1];
  if (claimed !== undefined) return `${claimed}, and the agent had claimed that it passed`;
  const ran = /^".*" ended with \d+(?=:)/.exec(evidence)?.[0];
  return ran === undefined ? firstLine(evidence) : `${ran}, run again by the hub`;
}

function firstLine(text: string): string {
  return text.split("\n")[0] ?? "";
}
