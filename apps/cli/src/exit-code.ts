/** How a command ended, by class; docs/reference/cli.md tells them to people. */
export const exitCode = {
  ok: 0,
  /** A mistake of the command line or of the hub. */
  unexpected: 1,
  /** The command, an option or a file is wrong; the same again will be wrong again. */
  usage: 2,
  notFound: 3,
  /** The state does not allow it, or the key was used for something else. */
  refused: 4,
  /** The hub cannot be reached, has too much to do, or did not answer in time. */
  unavailable: 5,
  /** The hub does not know who asks, or does not let them. */
  denied: 6,
  /** The pipeline that was followed failed or was aborted. */
  pipelineFailed: 7,
  /** The pipeline that was followed waits for a person. */
  waitsForPerson: 8,
  /** The audit record is not what was written, or not signed by whom it should be. */
  recordBad: 9,
  /** Somebody was asked whether to do it, and said no. */
  declined: 10,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** The shell's convention for a program that a signal ended. */
export const signalBase = 128;

/** Nobody reads the output any more: what the system's signal for it would give. */
export const readerGone = signalBase + 13;
