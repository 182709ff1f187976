import type { Chance, EngineLimits, Store } from "@baton/runtime";
import { checkDisk, findLeftover } from "./at-end/leftovers.ts";
import { checkLiveness, waiting } from "./at-end/liveness.ts";
import { Clock } from "./chance/clock.ts";
import { Faults } from "./chance/faults.ts";
import { Random } from "./chance/random.ts";
import { Watch } from "./checks/checker.ts";
import { type Figures, noFigures } from "./figures.ts";
import { Disk } from "./hub/failing-store.ts";
import { Lives } from "./hub/hub-supervisor.ts";
import { type Kernel, kernel as realKernel } from "./kernel.ts";
import { Observer } from "./observer/observer.ts";
import { Surroundings } from "./outside/outside.ts";
import { ownHands } from "./outside/simulated-ports.ts";
import { Watcher } from "./outside/watcher.ts";
import { drawFleet } from "./scenario/fleet.ts";
import { drawPipeline, type PipelineScenario } from "./scenario/pipeline.ts";
import { asViolation, type Sim } from "./sim.ts";
import { Trace } from "./trace.ts";
import { demand, type Violation } from "./violation.ts";

const startMs = Date.UTC(2026, 0, 1);
const shortestFaultsMs = 20_000;
const longestFaultsMs = 150_000;
/** Nothing takes longer than this once all goes well: the longest timeouts, waits and answers, many times over. */
const calmMs = 30 * 60_000;

/** Mostly one or two: what three have in common, two have too. */
const pipelineCounts = [
  [1, 4],
  [2, 4],
  [3, 2],
] as const;
/** A run has some thousands; one that has this many goes round in a circle. */
const mostEvents = 100_000;
/** When all has ended, the hub has this long to cross off what it has done. */
const tidyMs = 2 * 60_000;

/** How the engine is set in a run: mostly as usual, at times so that it does everything by itself. */
const driverLimits: readonly Partial<EngineLimits>[] = [
  {},
  { ahead: 1, tickMs: 5_000 },
  { batch: 2, ahead: 1, tickMs: 5_000 },
  { batch: 1, endedKept: 1, tickMs: 5_000 },
];

export interface SimulateOptions {
  /** Another kernel than the real one. */
  readonly kernel?: Kernel | undefined;
  /** Puts something between the hub and its store. */
  readonly wrapStore?: ((store: Store) => Store) | undefined;
  readonly keepTrace?: boolean;
}

export interface Simulated {
  readonly seed: number;
  readonly figures: Figures;
  readonly digest: string;
  readonly trace: readonly string[];
  readonly violation:
    | { readonly invariant: string; readonly detail: string; readonly step: number }
    | undefined;
}

/** One run of the whole hub. The same seed gives the same run, line by line. */
export async function simulate(
  seed: number,
  { kernel = realKernel, wrapStore, keepTrace = false }: SimulateOptions = {},
): Promise<Simulated> {
  const random = new Random(seed);
  const figures = noFigures();
  figures.seeds = 1;
  const sim: Sim = {
    ...{ seed, startMs, random, figures },
    clock: new Clock(startMs),
    faults: new Faults(random),
    trace: new Trace(keepTrace),
    found: undefined,
  };
  const violation = await findViolation(() => run(sim, kernel, wrapStore));
  for (const [kind, times] of sim.faults.injected) figures.faults[kind] = times;
  return {
    seed,
    figures,
    digest: sim.trace.digest(),
    trace: sim.trace.lines,
    violation: violation && {
      invariant: violation.invariant,
      detail: violation.message,
      step: sim.trace.steps,
    },
  };
}

async function run(sim: Sim, kernel: Kernel, wrapStore: SimulateOptions["wrapStore"]): Promise<void> {
  const { random, clock, figures } = sim;
  const scenario = drawFleet(random);
  const limits = random.pick(driverLimits);
  const pipelines = Array.from({ length: random.weighted(pipelineCounts) }, (_, place) =>
    drawPipeline(place, startMs + 500, random),
  );
  const watch = new Watch(sim, kernel, scenario, new Observer(sim, pipelines));
  const disk = new Disk();
  const truths = { failing: new Set<string>() };
  const hands = ownHands(sim, watch, truths);
  const lives = new Lives({ sim, disk, watch, scenario, limits, chance: chanceOf(sim), wrapStore, ...hands });
  const shapes = new Map(pipelines.map(({ submission, shape }) => [submission.pipelineId, shape]));
  const outside = new Surroundings({ sim, lives, watch, fleet: scenario, truths, shapes });
  const watcher = new Watcher(sim, lives, watch);
  clock.at(startMs, () => void lives.begin());
  for (const pipeline of pipelines) submit(pipeline, sim, outside);
  const calmAtMs = startMs + random.int(shortestFaultsMs, longestFaultsMs);
  clock.at(calmAtMs, () => outside.calmDown());
  await passTime(sim, calmAtMs + calmMs, () => waiting(lives, watch, pipelines) === 0);
  checkLiveness(watch, pipelines, figures);
  // Whatever still goes wrong now would only hold up what is to be seen: that the hub is done with what has ended.
  sim.faults.stopped = true;
  const look = () => findLeftover(lives, watch, watcher, outside);
  await passTime(sim, clock.nowMs + tidyMs, () => look() === undefined);
  const leftover = look();
  demand(leftover === undefined, "nothing is left to do for what has ended", () => leftover ?? "");
  await checkDisk(disk, watch, kernel);
}

/** Lets one thing happen after another. What each leads to in the hub has come to rest before the next one. */
async function passTime(sim: Sim, untilMs: number, enough: () => boolean): Promise<void> {
  const { clock } = sim;
  for (let events = 0; !enough() && clock.nowMs < untilMs; events++) {
    demand(events < mostEvents, "time passes", () => `${events} events until ${clock.nowMs - startMs} ms`);
    if (!clock.step()) return;
    await settled();
    if (sim.found) throw sim.found;
  }
}

/** Nothing in here waits for the world: when the promises are through, all that can happen now has happened. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Ids and seeds of the hub, from a source of its own: how often it is asked is the hub's business. */
function chanceOf({ seed }: Sim): Chance {
  const random = new Random(seed ^ 0x5eed);
  return {
    uuid: () =>
      Array.from({ length: 4 }, () => random.int(0, 0xffff).toString(16).padStart(4, "0")).join("-"),
    seed: () => random.int(0, 0xffff_ffff),
  };
}

function submit(
  { submission, submitAtMs }: PipelineScenario,
  sim: Sim,
  { door, people }: Surroundings,
): void {
  const { pipelineId } = submission;
  sim.clock.at(submitAtMs, () => {
    door.call(pipelineId, submission);
    if (sim.faults.strikes("submitted twice")) door.call(pipelineId, submission);
    people.meddle(pipelineId);
  });
}

async function findViolation(work: () => Promise<void>): Promise<Violation | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return asViolation(error);
  }
}
