import { ArtifactAction } from "@baton/contract";
import type { BaseTests, VerifiedChanges, VerifiedCommand } from "@baton/kernel";
import { isTestFile } from "@baton/kernel/deciding";
import type { KeptWork } from "../ports/outside.ts";
import { provideDependencies } from "./dependencies.ts";
import { type CommandsRun, runCommands } from "./run-commands.ts";

/** Files that decide which tests run and how, by their names. */
const testSettings =
  /(^|\/)((vitest|vite|jest|karma|playwright|cypress|ava|mocha|wtr)[^/]*\.(config|conf)\.[^/]+|jest\.config|\.mocharc[^/]*|pytest\.ini|tox\.ini|conftest\.py|phpunit\.xml[^/]*|\.rspec)$/;

/**
 * Runs the command of the tests once more where the author changed or removed tests, with all tests as the base commit has
 * them: whoever changes the tests does not judge alone. Tests that were only added are not a reason.
 */
export async function runBaseTests(
  kept: KeptWork,
  commands: readonly VerifiedCommand[],
  run: CommandsRun,
  endsAtMs: number,
): Promise<readonly VerifiedCommand[]> {
  const wanted = run.wanted.filter(({ check }) => check === "tests");
  const paths = pathsInBase(kept.changes);
  const { sandbox } = run;
  if (paths.length === 0 || sandbox.kind === "none" || !commands.some(({ check }) => check === "tests"))
    return commands;
  const copy = await kept.copy(paths);
  if (!copy.ok)
    return withBase(commands, { ...notRun, changedTests: paths, output: `not run: ${copy.reason}` });
  try {
    if (copy.laid.length === 0) return commands;
    const leftMs = Math.max(1, endsAtMs - performance.now());
    const shown = await provideDependencies(copy.dependencies, sandbox, leftMs, run.signal);
    const { directory, readable } = copy;
    const again = await runCommands({ directory, readable, shown }, { ...run, wanted }, endsAtMs);
    const seen = again.commands.find((one) => !one.passed) ?? again.commands[0];
    const isCutShort = seen?.passed === true && again.commands.length < wanted.length;
    const { passed, exitCode, output } =
      seen && !isCutShort ? seen : { ...notRun, output: `not run: ${again.unseen ?? ""}` };
    const added = new Set(addedIn(kept.changes));
    const changedTests = copy.laid.filter((path) => !added.has(path));
    return withBase(commands, { changedTests, passed, exitCode, output });
  } finally {
    await copy.close();
  }
}

const notRun = { passed: false, exitCode: -1 };

function withBase(commands: readonly VerifiedCommand[], baseTests: BaseTests): readonly VerifiedCommand[] {
  // One statement for all commands of the tests.
  const place = commands.findIndex(({ check }) => check === "tests");
  return commands.map((command, index) => (index === place ? { ...command, baseTests } : command));
}

/** What is put as it was: nothing, where no test and no setting of tests was there before and is different now. */
function pathsInBase(changes: VerifiedChanges | undefined): readonly string[] {
  const files = (changes?.files ?? []).filter(({ path }) => isTestFile(path) || testSettings.test(path));
  const manifests = (changes?.files ?? []).filter(
    ({ path, action }) => /(^|\/)package\.json$/.test(path) && action === ArtifactAction.MODIFIED,
  );
  const wasThere = [...files, ...manifests].some(({ action }) => action !== ArtifactAction.CREATED);
  return wasThere ? [...files, ...manifests].map(({ path }) => path) : [];
}

function addedIn(changes: VerifiedChanges | undefined): readonly string[] {
  return (changes?.files ?? [])
    .filter(({ action }) => action === ArtifactAction.CREATED)
    .map(({ path }) => path);
}
