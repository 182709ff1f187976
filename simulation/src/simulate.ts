import { Clock } from "./chance/clock.ts";
import { Faults } from "./chance/faults.ts";
import { Random } from "./chance/random.ts";
import { checkLiveness, waiting } from "./checks/liveness.ts";
import { Watch } from "./checks/watch.ts";
import { type Figures, noFigures } from "./figures.ts";
import { Hub } from "./hub/hub.ts";
import { comesBack } from "./hub/restart.ts";
import { Store } from "./hub/store.ts";
import { type Kernel, kernel as realKernel } from "./kernel.ts";
import { Surroundings } from "./outside/outside.ts";
import { drawFleet } from "./scenario/fleet.ts";
import { drawPipeline, type PipelineScenario } from "./scenario/pipeline.ts";
import type { Sim } from "./sim.ts";
import { Trace } from "./trace.ts";
import { demand, Violation } from "./violation.ts";

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
/** A run has a few hundred; one that has this many goes round in a circle. */
const mostEvents = 50_000;

export interface SimulateOptions {
  readonly kernel?: Kernel;
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
export function simulate(
  seed: number,
  { kernel = realKernel, keepTrace = false }: SimulateOptions = {},
): Simulated {
  const random = new Random(seed);
  const figures = noFigures();
  figures.seeds = 1;
  const sim: Sim = {
    ...{ seed, startMs, random, figures },
    clock: new Clock(startMs),
    faults: new Faults(random),
    trace: new Trace(keepTrace),
  };
  const violation = findViolation(() => run(sim, kernel));
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

function run(sim: Sim, kernel: Kernel): void {
  const { random, clock, figures } = sim;
  const scenario = drawFleet(random);
  const pipelines = Array.from({ length: random.weighted(pipelineCounts) }, (_, place) =>
    drawPipeline(place, startMs + 500, random),
  );
  const store = new Store();
  const watch = new Watch(sim, kernel, store, scenario);
  const hub = new Hub({ sim, kernel, store, scenario, watch });
  const shapes = new Map(pipelines.map(({ submission, shape }) => [submission.pipelineId, shape]));
  const outside = new Surroundings(sim, hub, scenario, shapes);
  hub.outside = outside;
  comesBack(hub, sim);
  for (const manifest of scenario.manifests) hub.fleetDesk.tell({ kind: "register", manifest });
  hub.fleetDesk.startTicking();
  for (const pipeline of pipelines) submit(pipeline, sim, outside);
  const calmAtMs = startMs + random.int(shortestFaultsMs, longestFaultsMs);
  clock.at(calmAtMs, () => outside.calmDown());
  const ended = () => hub.up && waiting(hub, pipelines) === 0;
  for (let events = 0; !ended() && clock.nowMs < calmAtMs + calmMs; events++) {
    demand(events < mostEvents, "time passes", () => `${events} events in ${clock.nowMs - startMs} ms`);
    clock.step();
  }
  watch.restarting(hub.states);
  checkLiveness(hub, pipelines, figures);
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

function findViolation(work: () => void): Violation | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof Violation) return error;
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return new Violation("the simulation itself does not break", detail);
  }
}
