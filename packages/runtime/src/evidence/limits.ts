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
  /** Printed by one command; one that prints more is ended, and has not passed. */
  readonly printedBytes: number;
  /** Read of one command in a second; one that prints faster has to wait. */
  readonly printedBytesPerSecond: number;
  /** Results that are looked at side by side; the others wait for their turn. */
  readonly atOnce: number;
  /** Files that git does not know yet; where there are more, what was changed is not seen. */
  readonly newFiles: number;
}

/** A contract names at most one command for each of the five checks that have one, and tests to run beside them. */
export const defaultVerifyLimits: VerifyLimits = {
  timeoutMs: 600_000,
  totalMs: 1_200_000,
  commands: 25,
  outputBytes: 65_536,
  printedBytes: 32 * 1_024 * 1_024,
  printedBytesPerSecond: 2 * 1_024 * 1_024,
  atOnce: 4,
  newFiles: 10_000,
};

/** What of a command's output is shown while it runs (SAOP §2 SANDBOX_PULSE). What is left out is counted. */
export interface PulseLimits {
  /** Lines of one command. */
  readonly lines: number;
  /** Characters of one command. */
  readonly characters: number;
  /** Characters of one line. */
  readonly lineCharacters: number;
  /** Lines that are told at once; more that come meanwhile are left out. */
  readonly linesAtOnce: number;
  /** How long lines are gathered before they are told. */
  readonly everyMs: number;
}

export const defaultPulseLimits: PulseLimits = {
  lines: 10_000,
  characters: 1_048_576,
  lineCharacters: 4_096,
  linesAtOnce: 200,
  everyMs: 100,
};
