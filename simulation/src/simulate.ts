import type { Chance, EngineLimits, Store } from "@baton/runtime";
import { checkDisk, findLeftover } from "./at-end/leftovers.ts";
import { checkLiveness, countUnfinished } from "./at-end/liveness.ts";
import { Clock } from "./chance/clock.ts";
import { Faults } from "./chance/faults.ts";
import { Random } from "./chance/random.ts";
import { Checker } from "./checks/checker.ts";
import { type Figures, noFigures } from "./figures.ts";
import { Disk } from "./hub/failing-store.ts";
import { HubSupervisor } from "./hub/hub-supervisor.ts";
import { type Kernel, kernel as realKernel } from "./kernel.ts";
import { Observer } from "./observer/observer.ts";
import { Outside } from "./outside/outside.ts";
import { simulatedPorts } from "./outside/simulated-ports.ts";
import { Watcher } from "./outside/watcher.ts";
import { drawFleet } from "./scenario/fleet.ts";
import { drawPipeline, type PipelineScenario } from "./scenario/pipeline.ts";
import { asViolation, type Sim } from "./sim.ts";
import { Trace } from "./trace.ts";
import { invariant, type Violation } from "./violation.ts";

const startMs = Date.UTC(2026, 0, 1);
const shortestFaultsMs = 20_000;
const longestFaultsMs = 150_000;
/** Upper bound for a run without faults: many times the longest timeouts, waits and answers. */
const settleMs = 30 * 60_000;

/** Mostly one or two, since three seldom interact in new ways. */
const pipelineCounts = [
  [1, 4],
  [2, 4],
  [3, 2],
] as const;
/** A run has some thousands of events; one with this many is in a loop. */
const mostEvents = 100_000;
/** How long the hub may take to complete its commands after everything has ended. */
const tidyMs = 2 * 60_000;

/** Limits of the engine: mostly the defaults, sometimes one input at a time. */
const driverLimits: readonly Partial<EngineLimits>[] = [
  {},
  { ahead: 1, tickMs: 5_000 },
  { batch: 2, ahead: 1, tickMs: 5_000 },
  { batch: 1, endedKept: 1, tickMs: 5_000 },
];

export interface SimulateOptions {
  /** Replaces the real kernel. */
  readonly kernel?: Kernel | undefined;
  /** Wraps the store of the hub. */
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

/** The first seeds are without: the test names some of them for rare cases, which other messages would move elsewhere. */
export const firstSeedWithSteps = 1_002;

function hasSteps(seed: number): boolean {
  return seed >= firstSeedWithSteps && seed % 2 === 0;
}

/** One run of the whole hub, reproducible from its seed. */
export async function simulate(
  seed: number,
  { kernel = realKernel, wrapStore, keepTrace = false }: SimulateOptions = {},
): Promise<Simulated> {
  const random = new Random(seed);
  const figures = noFigures();
  figures.seeds = 1;
  const sim: Sim = {
    ...{ seed, startMs, random, figures, withSteps: hasSteps(seed) },
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
  const checker = new Checker(sim, kernel, scenario, new Observer(sim, pipelines));
  const disk = new Disk();
  const groundTruth = { failing: new Set<string>() };
  const ports = simulatedPorts(sim, checker, groundTruth);
  const supervisor = new HubSupervisor({
    sim,
    disk,
    checker,
    scenario,
    limits,
    chance: chanceOf(sim),
    wrapStore,
    ...ports,
  });
  const shapes = new Map(pipelines.map(({ submission, shape }) => [submission.pipelineId, shape]));
  const outside = new Outside({ sim, supervisor, checker, fleet: scenario, groundTruth, shapes });
  const watcher = new Watcher(sim, supervisor, checker);
  clock.at(startMs, () => void supervisor.begin());
  for (const pipeline of pipelines) submit(pipeline, sim, outside);
  const faultsEndMs = startMs + random.int(shortestFaultsMs, longestFaultsMs);
  clock.at(faultsEndMs, () => outside.stopFaults());
  await passTime(sim, faultsEndMs + settleMs, () => countUnfinished(supervisor, checker, pipelines) === 0);
  checkLiveness(checker, pipelines, figures);
  // Later faults would only delay the cleanup that is checked next.
  sim.faults.stopped = true;
  const look = () => findLeftover(supervisor, checker, watcher, outside);
  await passTime(sim, clock.nowMs + tidyMs, () => look() === undefined);
  const leftover = look();
  invariant(leftover === undefined, "nothing is left to do for ended pipelines", () => leftover ?? "");
  await checkDisk(disk, checker, kernel);
}

/** Processes events one by one, each after the hub has finished with the previous one. */
async function passTime(sim: Sim, untilMs: number, enough: () => boolean): Promise<void> {
  const { clock } = sim;
  for (let events = 0; !enough() && clock.nowMs < untilMs; events++) {
    invariant(
      events < mostEvents,
      "a run terminates",
      () => `${events} events until ${clock.nowMs - startMs} ms`,
    );
    if (!clock.step()) return;
    await settled();
    if (sim.found) throw sim.found;
  }
}

/** Nothing here waits for real I/O: after all promises have settled, the hub is idle. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Ids and seeds of the hub come from a generator of their own: the number of draws is up to the hub. */
function chanceOf({ seed }: Sim): Chance {
  const random = new Random(seed ^ 0x5eed);
  return {
    uuid: () =>
      Array.from({ length: 4 }, () => random.int(0, 0xffff).toString(16).padStart(4, "0")).join("-"),
    seed: () => random.int(0, 0xffff_ffff),
  };
}

function submit({ submission, submitAtMs }: PipelineScenario, sim: Sim, { client, people }: Outside): void {
  const { pipelineId } = submission;
  sim.clock.at(submitAtMs, () => {
    client.call(pipelineId, submission);
    if (sim.faults.strikes("submitted twice")) client.call(pipelineId, submission);
    people.interfere(pipelineId);
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
