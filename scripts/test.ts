/**
 * `npm test`: finds what the suites need, checks the tree, runs every test, and counts.
 * The last line is always `N passed, N failed` or `N passed, N failed, N skipped`.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { takeArguments } from "./arguments.ts";
import { check } from "./check.ts";
import { endTogether, show } from "./command.ts";
import { withScratch } from "./scratch.ts";
import { provision } from "./test-run/provision.ts";
import { reportVariable } from "./test-run/report.ts";
import {
  addFailure,
  addMissing,
  addSteps,
  addTally,
  describeFindings,
  type Findings,
  noFindings,
  total,
} from "./test-run/summary.ts";
import { none, readReport, type Tally } from "./test-run/tally.ts";
import { takeTestFiles } from "./test-run/test-files.ts";
import { inTree, root } from "./tree.ts";

const { values, operands } = takeArguments({
  command: "npm test",
  purpose: "checks the tree and runs every test; the last line counts",
  options: {
    testNamePattern: {
      short: "t",
      value: "NAME",
      purpose: "only the tests whose name matches, without the checks",
    },
  },
  operands: {
    name: "part of a path",
    purpose: "only the files whose path contains one of these, without the checks",
  },
  notes: [
    "A suite that needs something this machine lacks is skipped, and the summary says so; with CI=true it is a",
    "failure. BATON_PROVISION=look installs nothing, even as root on Debian.",
    "vitest knows more, and takes it when it is called itself: npx vitest --help",
  ],
});
takeTestFiles(operands);
endTogether();
process.exitCode = await test(values.testNamePattern, operands);

/** Without a pattern and without paths: everything, and the checks before it. */
async function test(pattern: string | undefined, paths: readonly string[]): Promise<number> {
  const findings = noFindings();
  addMissing(findings, await provision());
  if (pattern === undefined && paths.length === 0) {
    console.log("\nCheck");
    addSteps(findings, await check());
  }
  console.log("\nTests");
  await runVitest(findings, pattern, paths);
  console.log(describeFindings(findings).join("\n"));
  return total(findings).failed === 0 ? 0 : 1;
}

async function runVitest(
  findings: Findings,
  pattern: string | undefined,
  paths: readonly string[],
): Promise<void> {
  await withScratch(async (scratch) => {
    const reportPath = join(scratch, "report.json");
    const reporters = ["--reporter=default", `--reporter=${inTree("scripts/test-run/report.ts")}`];
    const names = pattern === undefined ? [] : [`--testNamePattern=${pattern}`];
    const args = ["run", "--passWithNoTests", ...reporters, ...names, ...paths];
    const code = await show("vitest", args, { [reportVariable]: reportPath });
    const counts = existsSync(reportPath) ? addTally(findings, readTally(reportPath, pattern)) : none();
    if (code === 0 && counts.passed + counts.failed === 0) {
      addFailure(
        findings,
        pattern === undefined ? "no test ran" : `no test ran: no name matches "${pattern}"`,
      );
    }
    if (code !== 0 && counts.failed === 0) {
      addFailure(findings, `vitest ended with code ${code} though no test failed; what it said is above`);
    }
  });
}

function readTally(reportPath: string, pattern: string | undefined): Tally {
  const tally = readReport(readFileSync(reportPath, "utf8"), root);
  // A caller that named one test knows that the others did not run.
  return pattern === undefined ? tally : { ...tally, skippedTests: [] };
}
