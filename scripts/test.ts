/**
 * `npm test`: finds what the suites need, checks the tree, runs every test, and counts.
 * The last line is always `N passed, N failed` or `N passed, N failed, N skipped`.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { check } from "./check.ts";
import { endTogether, show } from "./command.ts";
import { provision } from "./provision.ts";
import { reportVariable } from "./report.ts";
import { withScratch } from "./scratch.ts";
import {
  addFailure,
  addMissing,
  addSteps,
  addTally,
  describeFindings,
  type Findings,
  noFindings,
  total,
} from "./summary.ts";
import { none, readReport } from "./tally.ts";
import { inTree, root } from "./tree.ts";

const help = `npm test                        checks the tree and runs every test
npm test -- packages/contract   runs only the tests whose path contains that, without the checks
npm test -- -t "a name"         any other argument goes to vitest as it is

A suite that needs something this machine lacks is skipped, and the summary says so; with CI=true it is a failure.
BATON_PROVISION=look            installs nothing, even as root on Debian`;

const args = process.argv.slice(2);
if (args.includes("--help") || args.includes("-h")) {
  console.log(help);
} else {
  endTogether();
  process.exitCode = await test(args);
}

async function test(vitestArgs: readonly string[]): Promise<number> {
  const findings = noFindings();
  addMissing(findings, await provision());
  if (vitestArgs.length === 0) {
    console.log("\nCheck");
    addSteps(findings, await check());
  }
  console.log("\nTests");
  await runVitest(findings, vitestArgs);
  console.log(describeFindings(findings).join("\n"));
  return total(findings).failed === 0 ? 0 : 1;
}

async function runVitest(findings: Findings, vitestArgs: readonly string[]): Promise<void> {
  await withScratch(async (scratch) => {
    const reportPath = join(scratch, "report.json");
    const reporters = ["--reporter=default", `--reporter=${inTree("scripts/report.ts")}`];
    const args = ["run", "--passWithNoTests", ...reporters, ...vitestArgs];
    const code = await show("vitest", args, { [reportVariable]: reportPath });
    const counts = existsSync(reportPath)
      ? addTally(findings, readReport(readFileSync(reportPath, "utf8"), root))
      : none();
    if (code === 0 && counts.passed + counts.failed === 0) addFailure(findings, "no test ran");
    if (code !== 0 && counts.failed === 0) {
      addFailure(findings, `vitest ended with code ${code} though no test failed; what it said is above`);
    }
  });
}
