import { Chance } from "./chance.ts";
import { checkStore } from "./checks/store.ts";
import { runDiskFull } from "./disk-full.ts";
import { FaultInjector } from "./fault-injector.ts";
import { Figures } from "./figures.ts";
import { HubSupervisor } from "./hub-supervisor.ts";
import { drawPlans } from "./kill-plan.ts";
import { type Form, forms } from "./limits.ts";
import { awaitEnds, measureRecovery } from "./recovery.ts";
import { setScene } from "./scene.ts";
import { makeScratch } from "./scratch.ts";
import { type Violation, Violations } from "./violations.ts";

export interface ChaosOptions {
  readonly kills: number;
  readonly seed: number;
  /** Default: long. */
  readonly form?: Form;
  /** Called with each line of progress. */
  readonly onProgress?: (line: string) => void;
}

export interface ChaosRun {
  readonly seed: number;
  readonly kills: number;
  readonly tookMs: number;
  readonly figures: Figures;
  readonly violations: readonly Violation[];
}

/** How often a point that was not reached is tried again. */
const mostMisses = 3;

interface Parts {
  readonly chance: Chance;
  readonly figures: Figures;
  readonly violations: Violations;
  /** The compile cache shared by all programs. */
  readonly compileCache: string;
}

/** One run: a hub under kills and other faults, then a hub whose disk fills up. */
export async function runChaos(options: ChaosOptions): Promise<ChaosRun> {
  const { kills, seed } = options;
  const began = performance.now();
  const compiled = makeScratch();
  const figures = new Figures();
  const violations = new Violations();
  const parts = { chance: new Chance(seed), figures, violations, compileCache: compiled.folder };
  // Violations are reported also after an unexpected error.
  const stopped = (error: unknown) =>
    violations.add("a run finishes", error instanceof Error ? (error.stack ?? error.message) : String(error));
  await runKills(options, parts).catch(stopped);
  await runDiskFull(parts).catch(stopped);
  compiled.remove();
  return { seed, kills, tookMs: performance.now() - began, figures, violations: violations.all };
}

/** Kills the hub under load, waits for the end of all pipelines, and checks the store. */
async function runKills(
  { kills, form = forms.long, onProgress = () => {} }: ChaosOptions,
  parts: Parts,
): Promise<void> {
  const { chance, figures, violations } = parts;
  const scene = await setScene({ ...parts, agents: form.agents });
  const supervisor = new HubSupervisor(scene, parts);
  try {
    await supervisor.start();
    scene.load.begin(form);
    await Promise.all(scene.agents.map(({ attached }) => attached));
    onProgress("the hub and its agents are ready");
    await supervisor.kill();
    const injector = new FaultInjector(scene, supervisor, { ...parts, everyMs: form.faultEveryMs });
    // One kill has happened, and one belongs to the recovery.
    const plans = drawPlans(kills - 2, form, chance).map((plan) => ({ plan, misses: 0 }));
    for (const { plan, misses } of plans) {
      const reached = await supervisor.runUntilKilled(plan);
      if (!reached && misses < mostMisses) plans.push({ plan, misses: misses + 1 });
      if (figures.killCount % 25 === 0) onProgress(`${figures.killCount} kills`);
    }
    await supervisor.start();
    await injector.eachOnce;
    await injector.end();
    onProgress("the faults have stopped");
    figures.recovery = await measureRecovery(scene, supervisor, form.recoveredPipelines);
    // Without other faults, its late answer arrives before the one that completes it.
    await scene.load.submit("late answer");
    await scene.load.end();
    await awaitEnds(scene, violations);
    await scene.hooks.check(scene.ledger, figures, violations);
    onProgress("the webhooks are checked");
    await supervisor.stop();
    await scene.leave();
    figures.acknowledged = scene.ledger.all.length;
    await checkStore(scene.place.data, { ...scene.seen(), figures, violations });
    onProgress("the store is checked");
  } finally {
    await supervisor.hub?.kill();
    await scene.leave();
    scene.remove();
  }
}
