import { describe, expect, it } from "vitest";
import { faultKinds } from "./src/chance/faults.ts";
import { addFigures, allTransitions, noFigures } from "./src/figures.ts";
import { describeFailure } from "./src/report.ts";
import { runSeeds } from "./src/run-seeds.ts";
import { firstSeedWithSteps, type Simulated, simulate } from "./src/simulate.ts";
import { plantedBugs } from "./testing/planted-bugs.ts";

/** Ends only a run that hangs. */
const timeoutMs = 600_000;
/**
 * `npm run simulate` runs many more. The last six reach rare cases: a message lost with the hub, a late result while the
 * store fails, stages that are reset in any state, and stages that are pruned while ready.
 */
const seeds = [...Array.from({ length: 144 }, (_, place) => place + 1), 183, 305, 478, 604, 608, 615];
/** A change of the hub may move rare cases to other seeds: the test looks for them up to this one. */
const lastSeed = 1_000;

/** A §4.5 allows them, but no run reaches them: a rewind skips them in one step. The unit tests of the machine cover them. */
const notSimulated = ["stage FAILED reset", "stage SKIPPED rewind"];

describe("the whole hub on a virtual clock", () => {
  it("[PIP-02] [PIP-11] [DIS-12] [DIS-13] keeps every invariant and terminates in 150 seeds with faults", {
    timeout: timeoutMs,
  }, async () => {
    const figures = noFigures();
    const runSeed = async (seed: number) => {
      const run = await simulate(seed);
      expect(run.violation && describeFailure(run)).toBeUndefined();
      addFigures(figures, run.figures);
    };
    const missing = () => [
      ...faultKinds.filter((kind) => !figures.faults[kind]),
      ...allTransitions().filter((name) => !figures.transitions[name] && !notSimulated.includes(name)),
    ];
    for (const seed of seeds) await runSeed(seed);
    expect(figures.ends.COMPLETED).toBeGreaterThan(100);
    expect(figures.ends["rewinds after a rewind"]).toBeGreaterThan(50);
    expect(figures.ends["crashes of the hub"]).toBeGreaterThan(50);
    for (let seed = seeds.length; missing().length > 0 && seed <= lastSeed; seed++) await runSeed(seed);
    expect(missing()).toEqual([]);
  });

  it("[PIP-11] [SAC-12] runs no finished step again, and repeats none that is not idempotent, in 40 seeds with faults", {
    timeout: timeoutMs,
  }, async () => {
    const figures = noFigures();
    for (let place = 0; place < 40; place++) {
      const run = await simulate(firstSeedWithSteps + 2 * place);
      expect(run.violation && describeFailure(run)).toBeUndefined();
      addFigures(figures, run.figures);
    }
    expect(figures.ends["steps that agents ran"]).toBeGreaterThan(100);
    expect(figures.ends["steps that were used again"]).toBeGreaterThan(10);
  });

  it("[PIP-11] produces a byte-identical trace for the same seed", { timeout: timeoutMs }, async () => {
    for (const seed of seeds.slice(0, 8)) {
      const one = await simulate(seed, { keepTrace: true });
      const other = await simulate(seed, { keepTrace: true });
      expect(other.trace.join("\n")).toBe(one.trace.join("\n"));
      expect(other.digest).toBe(one.digest);
    }
  });

  it("[PIP-11] produces the same digest with one worker and with two", { timeout: timeoutMs }, async () => {
    const [one, two] = await Promise.all([runSeeds(1, 6, 1), runSeeds(1, 6, 2)]);
    expect(two.digest).toBe(one.digest);
    expect(two.figures).toEqual(one.figures);
  });

  it("prints the command that replays a failing seed", async () => {
    const failing: Simulated = {
      ...(await simulate(1)),
      violation: { invariant: "it holds", detail: "it does not", step: 3 },
    };
    expect(describeFailure(failing)).toContain("npm run simulate -- --seed 1 --verbose");
  });
});

describe("a planted bug is found", () => {
  it.each(plantedBugs)(
    "[PIP-11] [DIS-13] $name",
    { timeout: timeoutMs },
    async ({ kernel, wrapStore, foundAs, firstSeed = 1 }) => {
      const found = await findFirst(firstSeed, 1000, (seed) => simulate(seed, { kernel, wrapStore }));
      expect(foundAs).toContain(found?.violation?.invariant);
      expect((await simulate(found?.seed ?? 0)).violation).toBeUndefined();
    },
  );
});

async function findFirst(
  firstSeed: number,
  mostSeeds: number,
  run: (seed: number) => Promise<Simulated>,
): Promise<Simulated | undefined> {
  for (let seed = firstSeed; seed < firstSeed + mostSeeds; seed++) {
    const simulated = await run(seed);
    if (simulated.violation) return simulated;
  }
  return undefined;
}
