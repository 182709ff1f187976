/** `npm run check`: everything that can be said about the tree without running it. */
import { takeArguments } from "./arguments.ts";
import {
  compareContractWithItsVersion,
  compareContractWithMain,
  compareContractWithReleased,
  lintContract,
} from "./checks/contract.ts";
import { checkErrorCodes } from "./checks/error-codes.ts";
import { checkGenerated } from "./checks/generated.ts";
import { checkGlossary } from "./checks/glossary.ts";
import { checkLockFile } from "./checks/lock-file.ts";
import { checkMigrations } from "./checks/migrations.ts";
import { checkReleasedUnchanged } from "./checks/released.ts";
import { failed, type Outcome, passed, runSteps, type Step, type StepReport } from "./checks/step.ts";
import { checkTypes } from "./checks/types.ts";
import { capture, endTogether } from "./command.ts";
import { checkFolders } from "./folders.ts";
import { checkLayers } from "./layers.ts";

const steps: readonly Step[] = [
  { name: "format and lint", run: checkFormat },
  { name: "types", run: checkTypes },
  { name: "layers", run: checkLayers },
  { name: "folders", run: checkFolders },
  { name: "glossary", run: checkGlossary },
  { name: "error codes", run: checkErrorCodes },
  { name: "generated files", run: checkGenerated },
  { name: "contract style", run: lintContract },
  { name: "contract against main", run: compareContractWithMain },
  { name: "contract against released", run: compareContractWithReleased },
  { name: "contract against its version", run: compareContractWithItsVersion },
  { name: "released images unchanged", run: checkReleasedUnchanged },
  { name: "migrations", run: checkMigrations },
  { name: "lock file", run: checkLockFile },
];

export async function check(): Promise<StepReport[]> {
  return runSteps(steps);
}

async function checkFormat(): Promise<Outcome> {
  const { code, output } = await capture("biome", ["ci", "--error-on-warnings", "--colors=off"]);
  if (code === 0) return passed;
  return failed(`${output}\n\nfix: npx biome check --write, then fix by hand what it leaves`);
}

if (import.meta.main) {
  takeArguments({
    command: "npm run check",
    purpose: "looks at the tree without running it",
    notes: ["It looks at:", ...steps.map((step) => `  ${step.name}`)],
  });
  endTogether();
  const reports = await check();
  if (reports.some((report) => report.outcome.status === "failed")) process.exitCode = 1;
}
