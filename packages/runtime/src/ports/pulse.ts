import type { GateName, MaskedLine } from "@baton/kernel";

/** A line of output of a check, as watchers receive it. */
export interface Pulse extends MaskedLine {
  /** The check whose command printed it. */
  readonly check: Exclude<GateName, "scope">;
  /** Lines omitted before this one. */
  readonly leftOut: number;
}

/** Resolves when the lines are published. No others are published meanwhile. */
export type PublishPulses = (pulses: readonly Pulse[]) => Promise<void>;
