import type { EntropyOptions } from "./options.ts";
import { type ConfidenceTurn, type Trend, trendOf } from "./trend.ts";

/** Slopes are quotients of rounded numbers; a fall of exactly the limit must count as one. */
const tolerance = 1e-9;

/** The figures of a decline, for people. */
export interface Decline extends Trend {
  /** The turns that show it. */
  readonly turns: readonly ConfidenceTurn[];
}

/**
 * The current decline, if any: a window of turns fell, and no later one has recovered. The latest window that did either
 * decides, so that a wavering decline stays the same one.
 *
 * A pure function of the turns, so that their order of arrival does not matter.
 */
export function findDecline(turns: readonly ConfidenceTurn[], options: EntropyOptions): Decline | undefined {
  for (let end = turns.length; end >= minWindowEnd(turns, options); end--) {
    const window = turns.slice(Math.max(0, end - options.window), end);
    const trend = trendOf(window);
    if (hasFallen(trend, options)) return { ...trend, turns: window };
    if (hasRecovered(trend, options)) return undefined;
  }
  return undefined;
}

/** Once turns are forgotten, short windows at the beginning are not the original ones and are skipped. */
function minWindowEnd(turns: readonly ConfidenceTurn[], options: EntropyOptions): number {
  return turns.length < rememberedTurns(options) ? options.minTurns : options.window;
}

/** Twice the window: a decline is remembered for as long as it took to detect it. */
export function rememberedTurns({ window }: EntropyOptions): number {
  return 2 * window;
}

function hasFallen({ slopePerTurn, z }: Trend, { fallPerTurn, significance }: EntropyOptions): boolean {
  return slopePerTurn <= -fallPerTurn + tolerance && z <= -significance;
}

function hasRecovered({ slopePerTurn }: Trend, { recoveredFallPerTurn }: EntropyOptions): boolean {
  return slopePerTurn >= -recoveredFallPerTurn - tolerance;
}

/** Such as "confidence fell from about 0.90 to 0.40 over 6 turns (4 to 9), about 0.10 a turn". */
export function describeDecline({ turns, from, to, slopePerTurn }: Decline): string {
  const [first, last] = [turns[0]?.turnIndex, turns.at(-1)?.turnIndex];
  const range = `over ${turns.length} turns (${first} to ${last})`;
  const pace = `about ${(-slopePerTurn).toFixed(2)} a turn`;
  return `confidence fell from about ${from.toFixed(2)} to ${to.toFixed(2)} ${range}, ${pace}`;
}
