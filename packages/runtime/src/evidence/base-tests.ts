import { ArtifactAction } from "@baton/contract";
import type { BaseTests, VerifiedChanges, VerifiedCommand } from "@baton/kernel";
import { isTestFile } from "@baton/kernel/deciding";
import type { KeptWork } from "../ports/outside.ts";
import { provideDependencies } from "./dependencies.ts";
import { type CommandsRun, runCommands } from "./run-commands.ts";

type ChangedFiles = VerifiedChanges["files"];

/** Files that determine which tests run, and how. */
const testSettings = new RegExp(
  `(^|/)(${[
    String.raw`(vitest|vite|jest|karma|playwright|cypress|ava|mocha|wtr)[^/]*\.(config|conf)\.[^/]+|jest\.config|\.mocharc[^/]*`,
    String.raw`pytest\.ini|tox\.ini|setup\.cfg|pyproject\.toml|conftest\.py|sitecustomize\.py|phpunit\.xml[^/]*|\.rspec`,
    String.raw`\.npmrc|\.yarnrc[^/]*|\.pnp\.[^/]+|bunfig\.toml|(GNUm|[mM])akefile|[jJ]ustfile|Taskfile\.ya?ml`,
  ].join("|")})$`,
);

/**
 * Repeats the test command with tests and test settings of the run's first commit when the run changed or removed any, in
 * this stage or in one before: authors do not judge their own work alone. Added tests alone do not cause a repetition.
 */
export async function runBaseTests(
  work: KeptWork,
  commands: readonly VerifiedCommand[],
  run: CommandsRun,
  endsAtMs: number,
): Promise<readonly VerifiedCommand[]> {
  const wanted = run.wanted.filter(({ check }) => check === "tests");
  const files = work.filesSinceRoot ?? work.changes?.files ?? [];
  const paths = pathsInBase(files, wanted.map(({ command }) => command).join(" "));
  const { sandbox } = run;
  if (paths.length === 0 || sandbox.kind === "none" || !commands.some(({ check }) => check === "tests"))
    return commands;
  const copy = await work.copy(paths);
  if (!copy.ok)
    return withBase(commands, { ...notRun, changedTests: paths, output: `not run: ${copy.reason}` });
  try {
    if (copy.laid.length === 0) return commands;
    const leftMs = Math.max(1, endsAtMs - performance.now());
    const mounts = await provideDependencies(copy.dependencies, sandbox, leftMs, run.signal);
    const { directory, readable } = copy;
    const repeated = await runCommands({ directory, readable, mounts }, { ...run, wanted }, endsAtMs);
    const decisive = repeated.commands.find((command) => !command.passed) ?? repeated.commands[0];
    const isIncomplete = decisive?.passed === true && repeated.commands.length < wanted.length;
    const { passed, exitCode, output } =
      decisive && !isIncomplete ? decisive : { ...notRun, output: `not run: ${repeated.unseen ?? ""}` };
    const added = new Set(addedTests(files));
    const changedTests = copy.laid.filter((path) => !added.has(path));
    return withBase(commands, { changedTests, passed, exitCode, output });
  } finally {
    await copy.close();
  }
}

const notRun = { passed: false, exitCode: -1 };

function withBase(commands: readonly VerifiedCommand[], baseTests: BaseTests): readonly VerifiedCommand[] {
  // One finding for all test commands.
  const first = commands.findIndex(({ check }) => check === "tests");
  return commands.map((command, index) => (index === first ? { ...command, baseTests } : command));
}

/** Files to restore: none unless an existing test or a file that determines the tests changed. */
function pathsInBase(files: ChangedFiles, commands: string): readonly string[] {
  const named = new Set(commands.split(/[\s"'=]+/).map((word) => word.replace(/^(\.\/)+/, "")));
  const paths: string[] = [];
  let isNeeded = false;
  for (const { path, action } of files) {
    const existed = action !== ArtifactAction.CREATED;
    const isManifest = /(^|\/)package\.json$/.test(path) && action === ArtifactAction.MODIFIED;
    const runsTests = testSettings.test(path) || isManifest || (named.has(path) && existed);
    if (!runsTests && !isTestFile(path)) continue;
    paths.push(path);
    isNeeded ||= runsTests || existed;
  }
  return isNeeded ? paths : [];
}

function addedTests(files: ChangedFiles): readonly string[] {
  return files
    .filter(({ path, action }) => action === ArtifactAction.CREATED && !testSettings.test(path))
    .map(({ path }) => path);
}
