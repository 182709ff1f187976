/** Everything the hub bounds when it looks at evidence itself. */
export interface VerifyLimits {
  /** One command. */
  readonly timeoutMs: number;
  /** All commands of one result together, and git. */
  readonly totalMs: number;
  /** Commands that a contract may have run for one result. */
  readonly commands: number;
  /** Of output that is kept: half from the beginning, half from the end. */
  readonly outputBytes: number;
  /** Results that are looked at side by side; the others wait for their turn. */
  readonly atOnce: number;
  /** Files that git does not know yet; where there are more, what was changed is not seen. */
  readonly newFiles: number;
}

/** A contract names at most one command for each of the five checks that have one. */
export const defaultVerifyLimits: VerifyLimits = {
  timeoutMs: 600_000,
  totalMs: 1_200_000,
  commands: 5,
  outputBytes: 65_536,
  atOnce: 4,
  newFiles: 10_000,
};
