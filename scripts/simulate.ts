/**
 * `npm run simulate [-- --seeds N] [--from N] [--seed N] [--verbose]`: the whole hub on a virtual clock, with faults
 * drawn from a seed. Ends with 1 when something happened that must never happen.
 */
import { describeFailure, describeFigures, describeRun, runSeeds, simulate } from "@baton/simulation";
import { refuse, takeArguments } from "./arguments.ts";

const defaultSeeds = "10000";
const args = process.argv.slice(2);
const verbose = args.includes("--verbose");

const { values } = takeArguments(
  {
    command: "npm run simulate",
    purpose: "runs the whole hub on a virtual clock, with faults drawn from a seed",
    options: {
      seeds: { value: "N", purpose: `how many runs, by default ${defaultSeeds}` },
      from: { value: "N", purpose: "the first seed, by default 1" },
      seed: { value: "N", purpose: "only this run" },
    },
    notes: ["--verbose shows, with --seed, every step of the run."],
  },
  args.filter((argument) => argument !== "--verbose"),
);
process.exitCode =
  values.seed === undefined ? await runMany() : await runOne(readNumber("seed", values.seed));

async function runOne(seed: number): Promise<number> {
  const run = await simulate(seed, { keepTrace: true });
  console.log(describeRun(run, verbose));
  return run.violation ? 1 : 0;
}

async function runMany(): Promise<number> {
  const from = readNumber("from", values.from ?? "1");
  const run = await runSeeds(from, readNumber("seeds", values.seeds ?? defaultSeeds));
  console.log(describeFigures(run));
  for (const failure of run.failures) console.log(`\n${describeFailure(failure)}`);
  return run.failures.length === 0 ? 0 : 1;
}

function readNumber(name: string, given: string): number {
  if (!/^\d{1,9}$/.test(given)) refuse(`--${name} wants a number, not "${given}"; as in --${name} 42`);
  return Number(given);
}
