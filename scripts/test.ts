/**
 * `npm test`: finds what the suites need, checks the tree, runs every test, and counts.
 * The last line is always `N passed, N failed` or `N passed, N failed, N skipped`.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { check } from "./check.ts";
import type { StepReport } from "./checks/step.ts";
import { endTogether, show } from "./command.ts";
import { type Missing, provision } from "./provision.ts";
import { withScratch } from "./scratch.ts";
import { type Counts, describeCounts, none, readReport, sum, type Tally } from "./tally.ts";
import { root } from "./tree.ts";

const help = `npm test                        checks the tree and runs every test
npm test -- packages/contract   runs only the tests whose path contains that, without the checks
npm test -- -t "a name"         any other argument goes to vitest as it is

A suite that needs something this machine lacks is skipped, and the summary says so; with CI=true it is a failure.
BATON_PROVISION=look            installs nothing, even as root on Debian`;

interface Section {
  readonly name: string;
  readonly counts: Counts;
}

/** What the summary is made of. */
interface Findings {
  readonly sections: Section[];
  readonly failures: string[];
  readonly skips: string[];
}

const args = process.argv.slice(2);
if (args.includes("--help") || args.includes("-h")) {
  console.log(help);
} else {
  endTogether();
  process.exitCode = await test(args);
}

async function test(vitestArgs: readonly string[]): Promise<number> {
  const findings: Findings = { sections: [], failures: [], skips: [] };
  addMissing(findings, await provision());
  if (vitestArgs.length === 0) {
    heading("Check");
    addSteps(findings, await check());
  }
  heading("Tests");
  const testsRan = await runVitest(findings, vitestArgs);
  if (testsRan === 0) {
    findings.sections.push({ name: "vitest", counts: { ...none(), failed: 1 } });
    findings.failures.push("no test ran");
  }
  return summarise(findings);
}

function addMissing(findings: Findings, missing: readonly Missing[]): void {
  if (process.env.CI !== "true") {
    findings.skips.push(...missing.map(({ message }) => message));
  } else if (missing.length > 0) {
    findings.failures.push(...missing.map(({ message }) => message));
    findings.sections.push({ name: "provision", counts: { ...none(), failed: missing.length } });
  }
}

function addSteps(findings: Findings, reports: readonly StepReport[]): void {
  const counts = none();
  for (const { name, outcome } of reports) {
    counts[outcome.status]++;
    if (outcome.status === "failed") findings.failures.push(`check: ${name}`);
    if (outcome.status === "skipped") findings.skips.push(`check: ${name}: ${outcome.reason}`);
  }
  findings.sections.push({ name: "check", counts });
}

/** Gives the number of tests that ran. */
async function runVitest(findings: Findings, vitestArgs: readonly string[]): Promise<number> {
  return withScratch(async (scratch) => {
    const reportPath = join(scratch, "vitest.json");
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${reportPath}`];
    const code = await show("vitest", ["run", "--passWithNoTests", ...reporters, ...vitestArgs]);
    const tally = existsSync(reportPath) ? readReport(readFileSync(reportPath, "utf8"), root) : undefined;
    const counts = addTally(findings, tally);
    if (code !== 0 && counts.failed === 0) {
      findings.sections.push({ name: "vitest", counts: { ...none(), failed: 1 } });
      findings.failures.push(`vitest ended with code ${code} though no test failed; what it said is above`);
    }
    // A crash is a failure already; "no test ran" would only repeat it.
    return code === 0 ? counts.passed + counts.failed : 1;
  });
}

function addTally(findings: Findings, tally: Tally | undefined): Counts {
  if (tally === undefined) return none();
  for (const [name, counts] of [...tally.workspaces].sort()) findings.sections.push({ name, counts });
  findings.failures.push(...tally.brokenFiles.map((file) => `${file} could not be loaded`));
  findings.skips.push(...tally.skippedTests);
  return sum(tally.workspaces.values());
}

function summarise({ sections, failures, skips }: Findings): number {
  heading("What ran");
  const width = Math.max(...sections.map(({ name }) => name.length));
  for (const { name, counts } of sections) console.log(`  ${name.padEnd(width)}  ${describeCounts(counts)}`);
  list("What failed besides single tests", failures);
  list("What was skipped, and why", skips);
  const total = sum(sections.map(({ counts }) => counts));
  console.log(`\n${describeCounts(total)}`);
  return total.failed === 0 ? 0 : 1;
}

function heading(text: string): void {
  console.log(`\n${text}`);
}

function list(title: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  heading(title);
  for (const line of lines) console.log(`  ${line}`);
}
