/** The confidence of an agent in one of its turns (SAOP §1 metadata.confidence). */
export interface ConfidenceTurn {
  readonly turnIndex: number;
  /** From 0 to 1. */
  readonly confidence: number;
}

export interface Trend {
  /** The median of the slopes between all pairs of turns (Theil and Sen), per turn. Negative when confidence falls. */
  readonly slopePerTurn: number;
  /**
   * How many more pairs fall than rise, in standard deviations of what chance would give (Mann and Kendall, corrected
   * for ties and continuity). Negative when more fall.
   */
  readonly z: number;
  /** The line with that slope through the middle of the turns, at the first of them. */
  readonly from: number;
  /** The same line at the last. */
  readonly to: number;
}

/**
 * The trend of turns in ascending order, with distinct indices. Both numbers are by pairs, so that one turn, however low,
 * affects less than half of them, given five turns or more.
 */
export function trendOf(turns: readonly ConfidenceTurn[]): Trend {
  const slopes: number[] = [];
  let sign = 0;
  for (const [position, later] of turns.entries()) {
    for (const earlier of turns.slice(0, position)) {
      const rise = later.confidence - earlier.confidence;
      sign += Math.sign(rise);
      slopes.push(rise / (later.turnIndex - earlier.turnIndex));
    }
  }
  const slopePerTurn = median(slopes);
  const height = median(turns.map((turn) => turn.confidence - slopePerTurn * turn.turnIndex));
  const at = (turn: ConfidenceTurn | undefined) => clamp(height + slopePerTurn * (turn?.turnIndex ?? 0));
  return { slopePerTurn, z: standardise(sign, turns), from: at(turns[0]), to: at(turns.at(-1)) };
}

/** The spread of the sign count when all orders are equally likely; turns of equal confidence narrow it. */
function standardise(sign: number, turns: readonly ConfidenceTurn[]): number {
  const ties = new Map<number, number>();
  for (const { confidence } of turns) ties.set(confidence, (ties.get(confidence) ?? 0) + 1);
  const spread = (n: number) => n * (n - 1) * (2 * n + 5);
  let variance = spread(turns.length);
  for (const count of ties.values()) variance -= spread(count);
  if (variance === 0 || sign === 0) return 0;
  return (sign - Math.sign(sign)) / Math.sqrt(variance / 18);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  const low = sorted[Math.ceil(middle) - 1] ?? 0;
  const high = sorted[Math.floor(middle)] ?? 0;
  return (low + high) / 2;
}

function clamp(confidence: number): number {
  return Math.min(1, Math.max(0, confidence));
}
