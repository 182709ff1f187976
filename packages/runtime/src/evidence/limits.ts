/** Limits of verification. */
export interface VerifyLimits {
  /** Timeout of one command. */
  readonly timeoutMs: number;
  /** Timeout of all commands of one result and git. */
  readonly totalMs: number;
  /** Maximum number of commands for one result. */
  readonly commands: number;
  /** Retained output: half from the beginning, half from the end. */
  readonly outputBytes: number;
  /** Maximum output of one command. A command that exceeds it is killed and fails. */
  readonly printedBytes: number;
  /** Throughput at which the hub reads the output; faster commands block. */
  readonly printedBytesPerSecond: number;
  /** Results verified concurrently. */
  readonly maxConcurrent: number;
  /** Maximum number of changed files; with more, the changes are reported as unknown. */
  readonly newFiles: number;
}

/** A contract has up to one command for each of five checks, and additional tests. */
export const defaultVerifyLimits: VerifyLimits = {
  timeoutMs: 600_000,
  totalMs: 1_200_000,
  commands: 25,
  outputBytes: 65_536,
  printedBytes: 32 * 1_024 * 1_024,
  printedBytesPerSecond: 2 * 1_024 * 1_024,
  maxConcurrent: 4,
  newFiles: 10_000,
};

/** Limits of the live output of commands (SAOP §2 SANDBOX_PULSE). Omitted lines are counted. */
export interface PulseLimits {
  /** Lines per command. */
  readonly lines: number;
  /** Characters per command. */
  readonly characters: number;
  /** Characters per line. */
  readonly lineCharacters: number;
  /** Lines per batch; further lines of the interval are omitted. */
  readonly linesPerBatch: number;
  /** Interval of batches. */
  readonly intervalMs: number;
}

export const defaultPulseLimits: PulseLimits = {
  lines: 10_000,
  characters: 1_048_576,
  lineCharacters: 4_096,
  linesPerBatch: 200,
  intervalMs: 100,
};
