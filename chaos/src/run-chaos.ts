import { Chance } from "./chance.ts";
import { checkStore } from "./checks/store.ts";
import { runDiskFull } from "./disk-full.ts";
import { Disturber } from "./fault-injector.ts";
import { Figures } from "./figures.ts";
import { Lives } from "./hub-supervisor.ts";
import { drawPlans } from "./kill-plan.ts";
import { type Form, forms } from "./limits.ts";
import { calmDown, measureRecovery } from "./recovery.ts";
import { setScene } from "./scene.ts";
import { makeScratch } from "./scratch.ts";
import { type Violation, Violations } from "./violations.ts";

export interface ChaosOptions {
  readonly kills: number;
  readonly seed: number;
  /** The long one unless told. */
  readonly form?: Form;
  /** Told what goes on, a line at a time. */
  readonly onProgress?: (line: string) => void;
}

export interface ChaosRun {
  readonly seed: number;
  readonly kills: number;
  readonly tookMs: number;
  readonly figures: Figures;
  readonly violations: readonly Violation[];
}

/** Times that a point which was not reached is tried again. */
const mostMisses = 3;

interface Parts {
  readonly chance: Chance;
  readonly figures: Figures;
  readonly violations: Violations;
  /** Where programs leave their compiled code to the next ones. */
  readonly compileCache: string;
}

/** One run: a hub that is killed and disturbed, then one whose disk fills up. */
export async function runChaos(options: ChaosOptions): Promise<ChaosRun> {
  const { kills, seed } = options;
  const began = performance.now();
  const compiled = makeScratch();
  const figures = new Figures();
  const violations = new Violations();
  const parts = { chance: new Chance(seed), figures, violations, compileCache: compiled.folder };
  // What was found is told, also when a hub ends in a way that nobody has planned for.
  const stopped = (error: unknown) =>
    violations.add(
      "a run comes to its end",
      error instanceof Error ? (error.stack ?? error.message) : String(error),
    );
  await runKills(options, parts).catch(stopped);
  await runDiskFull(parts).catch(stopped);
  compiled.remove();
  return { seed, kills, tookMs: performance.now() - began, figures, violations: violations.all };
}

/** Kill, disturb, calm down, and look at everything that is left. */
async function runKills(
  { kills, form = forms.long, onProgress = () => {} }: ChaosOptions,
  parts: Parts,
): Promise<void> {
  const { chance, figures, violations } = parts;
  const scene = await setScene({ ...parts, agents: form.agents });
  const lives = new Lives(scene, parts);
  try {
    await lives.begin();
    scene.load.begin(form);
    await Promise.all(scene.agents.map(({ attached }) => attached));
    onProgress("the hub and its agents are there");
    await lives.kill();
    const disturber = new Disturber(scene, lives, { ...parts, everyMs: form.disturbMs });
    // The first kill is done, and one is left for the recovery.
    const plans = drawPlans(kills - 2, form, chance).map((plan) => ({ plan, misses: 0 }));
    for (const { plan, misses } of plans) {
      const reached = await lives.live(plan);
      if (!reached && misses < mostMisses) plans.push({ plan, misses: misses + 1 });
      if (figures.killCount % 25 === 0) onProgress(`${figures.killCount} kills`);
    }
    await lives.begin();
    await disturber.eachOnce;
    await disturber.end();
    onProgress("the faults have stopped");
    figures.recovery = await measureRecovery(scene, lives, form.recoveredPipelines);
    // With nothing else going wrong, its late answer has come to the hub before the one that ends it.
    await scene.load.submit("late answer");
    await scene.load.end();
    await calmDown(scene, violations);
    await lives.stop();
    await scene.leave();
    figures.acknowledged = scene.ledger.all.length;
    await checkStore(scene.place.data, { ...scene.told(), figures, violations });
    onProgress("the store was looked at");
  } finally {
    await lives.hub?.kill();
    await scene.leave();
    scene.remove();
  }
}
