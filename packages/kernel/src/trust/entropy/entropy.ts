/**
 * The entropy detector (TUR-07, SAOP §1): falling confidence of an agent escalates to a person. docs/decisions/0014
 * describes the statistic and its limits.
 *
 * I1. The state depends on the set of turns seen, not on the order in which they came or on how often.
 * I2. It holds the latest turns only, at the most twice the window.
 * I3. An alarm is the step from no decline to a decline: one alarm per decline.
 */
import {
  type Decline,
  defaultEntropyOptions,
  type EntropyOptions,
  findDecline,
  rememberedTurns,
} from "./decline.ts";
import type { ConfidenceTurn } from "./trend.ts";

export type { ConfidenceTurn, Decline, EntropyOptions };

export interface EntropyState {
  /** By ascending turn index. */
  readonly turns: readonly ConfidenceTurn[];
  /** Whether a decline is going on, and has been reported. */
  readonly declining: boolean;
}

export const initialEntropy: EntropyState = { turns: [], declining: false };

export interface Observed {
  /** Returns the same object when the turn adds nothing, such as a retransmitted one: then there is nothing to record. */
  readonly state: EntropyState;
  readonly alarm?: Decline;
}

/** Throws for an invalid turn: the edge has validated it, so it is a mistake of the caller. */
export function observeConfidence(
  state: EntropyState,
  turn: ConfidenceTurn,
  options: EntropyOptions = defaultEntropyOptions,
): Observed {
  refuseImpossible(turn);
  const turns = insert(state.turns, turn).slice(-rememberedTurns(options));
  const decline = findDecline(turns, options);
  const next = { turns, declining: decline !== undefined };
  if (isSame(state, next)) return { state };
  return decline && !state.declining ? { state: next, alarm: decline } : { state: next };
}

/** Of two turns with one index the less confident stays, whatever their order. */
function insert(
  turns: readonly ConfidenceTurn[],
  { turnIndex, confidence }: ConfidenceTurn,
): ConfidenceTurn[] {
  const before = turns.filter((known) => known.turnIndex < turnIndex);
  const same = turns.find((known) => known.turnIndex === turnIndex);
  const after = turns.filter((known) => known.turnIndex > turnIndex);
  return [...before, { turnIndex, confidence: Math.min(confidence, same?.confidence ?? 1) }, ...after];
}

function isSame(one: EntropyState, other: EntropyState): boolean {
  return (
    one.declining === other.declining &&
    one.turns.length === other.turns.length &&
    one.turns.every(({ turnIndex, confidence }, position) => {
      const its = other.turns[position];
      return its?.turnIndex === turnIndex && its.confidence === confidence;
    })
  );
}

function refuseImpossible({ turnIndex, confidence }: ConfidenceTurn): void {
  if (!Number.isSafeInteger(turnIndex) || turnIndex < 0)
    throw new RangeError(`${turnIndex} is not a turn index`);
  if (!(confidence >= 0 && confidence <= 1))
    throw new RangeError(`${confidence} is not a confidence from 0 to 1`);
}
