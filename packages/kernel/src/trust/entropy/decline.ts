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

/** When falling confidence escalates to a person (TUR-07). */
export interface EntropyOptions {
  /** Latest turns that make a trend. */
  readonly window: number;
  /** With fewer turns there is no verdict. At least five: below that a single low turn could look like a trend. */
  readonly minTurns: number;
  /** How much confidence must fall, per turn. */
  readonly fallPerTurn: number;
  /** How much it may still fall, per turn, when a decline counts as over. Less than `fallPerTurn`. */
  readonly recoveredFallPerTurn: number;
  /** How clearly falling pairs must outnumber rising ones, in standard deviations. */
  readonly significance: number;
}

/** docs/decisions/0014 measures false alarms and delays of these values. */
export const defaultEntropyOptions: EntropyOptions = {
  window: 8,
  minTurns: 5,
  fallPerTurn: 0.05,
  recoveredFallPerTurn: 0.01,
  significance: 1.645,
};

const fewestAllowedTurns = 5;
/** The work per turn grows with the cube of the window. */
const maxWindow = 50;

/** Merges options with the defaults. Throws when the result cannot do what TUR-07 requires. */
export function entropyOptions(overrides: Partial<EntropyOptions> = {}): EntropyOptions {
  const options = { ...defaultEntropyOptions, ...overrides };
  const { window, minTurns, fallPerTurn, recoveredFallPerTurn, significance } = options;
  const demand = (holds: boolean, rule: string) => {
    if (!holds) throw new RangeError(`entropy detector: ${rule}`);
  };
  demand(
    Number.isInteger(minTurns) && minTurns >= fewestAllowedTurns,
    `minTurns must be ${fewestAllowedTurns} or more`,
  );
  demand(
    Number.isInteger(window) && window >= minTurns && window <= maxWindow,
    `window must be from minTurns (${minTurns}) to ${maxWindow}`,
  );
  demand(fallPerTurn > 0 && fallPerTurn <= 1, "fallPerTurn must be above 0, and at the most 1");
  demand(
    recoveredFallPerTurn >= 0 && recoveredFallPerTurn < fallPerTurn,
    `recoveredFallPerTurn must be from 0 to less than fallPerTurn (${fallPerTurn})`,
  );
  demand(significance >= 0 && significance <= 2, "significance must be from 0 to 2");
  return options;
}
