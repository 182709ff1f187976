/**
 * `npm run fuzz [-- --runs N] [part of a path ...]`: the property tests with many cases.
 * `npm test` runs the same files with the few hundred cases that vitest.config.ts gives them.
 */
import { refuse, takeArguments } from "./arguments.ts";
import { endTogether, show } from "./command.ts";
import { takeTestFiles } from "./test-run/test-files.ts";

const defaultRuns = "10000";
/** Ten thousand cases take minutes where five hundred take seconds; this only ends what hangs. */
const testTimeoutMs = 30 * 60_000;

const { values, operands } = takeArguments({
  command: "npm run fuzz",
  purpose: "runs the property tests with many more cases",
  options: { runs: { value: "N", purpose: `cases per property, by default ${defaultRuns}` } },
  operands: {
    name: "part of a path",
    purpose: "only the files *.fuzz.test.ts whose path contains one of these",
  },
});
const runs = values.runs ?? defaultRuns;
if (!/^[1-9]\d*$/.test(runs))
  refuse(`--runs wants a number of cases, not "${runs}"; as in --runs ${defaultRuns}`);
const files = takeTestFiles(operands, "**/*.fuzz.test.ts");
endTogether();
console.log(`${runs} cases a property, ${files.length} files`);
process.exitCode = await show(
  "vitest",
  ["run", "--reporter=default", `--testTimeout=${testTimeoutMs}`, ...files],
  { BATON_FUZZ_RUNS: runs },
);
