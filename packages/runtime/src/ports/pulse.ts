import type { GateName, MaskedLine } from "@baton/kernel";

/** A line of the sandbox, as it is told to those who watch. */
export interface Pulse extends MaskedLine {
  /** The check whose command printed it. */
  readonly check: Exclude<GateName, "scope">;
  /** Lines before this one that were not told. */
  readonly leftOut: number;
}

/** Resolves when the lines are told: meanwhile no others are, and what does not fit is left out. */
export type PublishPulses = (pulses: readonly Pulse[]) => Promise<void>;
