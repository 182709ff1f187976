/** The results of `npm test`, and how they are printed: the last line is always the counts. */
import type { StepReport } from "../checks/step.ts";
import type { Missing } from "./provision.ts";
import { type Counts, describeCounts, none, sum, type Tally } from "./tally.ts";

interface Section {
  readonly name: string;
  readonly counts: Counts;
}

export interface Findings {
  readonly sections: Section[];
  readonly failures: string[];
  readonly skips: string[];
}

export function noFindings(): Findings {
  return { sections: [], failures: [], skips: [] };
}

/** A machine of one's own may lack things, and then skips what needs them; a build machine may not. */
export function addMissing(findings: Findings, missing: readonly Missing[]): void {
  if (process.env.CI !== "true") {
    findings.skips.push(...missing.map(({ message }) => message));
  } else if (missing.length > 0) {
    findings.failures.push(...missing.map(({ message }) => message));
    findings.sections.push({ name: "provision", counts: { ...none(), failed: missing.length } });
  }
}

export function addSteps(findings: Findings, reports: readonly StepReport[]): void {
  const counts = none();
  for (const { name, outcome } of reports) {
    counts[outcome.status]++;
    if (outcome.status === "failed") findings.failures.push(`check: ${name}`);
    if (outcome.status === "skipped") findings.skips.push(`check: ${name}: ${outcome.reason}`);
  }
  findings.sections.push({ name: "check", counts });
}

/** Gives the counts over all workspaces. */
export function addTally(findings: Findings, tally: Tally): Counts {
  for (const [name, counts] of [...tally.workspaces].sort()) findings.sections.push({ name, counts });
  findings.failures.push(...tally.brokenFiles.map((file) => `${file} could not be loaded`));
  findings.skips.push(...tally.skippedTests);
  return sum(tally.workspaces.values());
}

/** A failure of the run itself, where no single test failed. */
export function addFailure(findings: Findings, message: string): void {
  findings.sections.push({ name: "vitest", counts: { ...none(), failed: 1 } });
  findings.failures.push(message);
}

export function total({ sections }: Findings): Counts {
  return sum(sections.map(({ counts }) => counts));
}

export function describeFindings(findings: Findings): string[] {
  const { sections, failures, skips } = findings;
  const width = Math.max(...sections.map(({ name }) => name.length));
  return [
    ...list(
      "What ran",
      sections.map(({ name, counts }) => `${name.padEnd(width)}  ${describeCounts(counts)}`),
    ),
    ...list("What failed besides single tests", failures),
    ...list("What was skipped, and why", skips),
    "",
    describeCounts(total(findings)),
  ];
}

function list(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", title, ...lines.map((line) => `  ${line}`)];
}
