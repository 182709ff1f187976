/**
 * `npm run fuzz [-- --runs N] [filter ...]`: the property tests with many cases.
 * `npm test` runs the same files with the few hundred cases that vitest.config.ts gives them.
 */
import { parseArgs } from "node:util";
import { endTogether, show } from "./command.ts";
import { findFiles } from "./tree.ts";

const defaultRuns = 10_000;
/** Ten thousand cases take minutes where five hundred take seconds; this only ends what hangs. */
const testTimeoutMs = 30 * 60_000;

endTogether();
process.exitCode = await fuzz();

async function fuzz(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { runs: { type: "string", default: String(defaultRuns) } },
    allowPositionals: true,
  });
  if (!/^[1-9]\d*$/.test(values.runs)) {
    console.error(
      `--runs takes a number of cases, not "${values.runs}"\nfix: npm run fuzz -- --runs ${defaultRuns}`,
    );
    return 1;
  }
  const files = findFiles("**/*.fuzz.test.ts").filter(
    (file) => positionals.length === 0 || positionals.some((part) => file.includes(part)),
  );
  if (files.length === 0) {
    console.error(`no *.fuzz.test.ts file ${positionals.length === 0 ? "exists yet" : "matches"}`);
    return 1;
  }
  console.log(`${values.runs} cases a property, ${files.length} files`);
  const args = ["run", "--reporter=default", `--testTimeout=${testTimeoutMs}`, ...files];
  return show("vitest", args, { BATON_FUZZ_RUNS: values.runs });
}
