/** Exit codes by class of outcome; documented in docs/reference/cli.md. */
export const exitCode = {
  ok: 0,
  /** A fault of the command line or of the hub. */
  unexpected: 1,
  /** The command, an option or a file is wrong; repeating it does not help. */
  usage: 2,
  notFound: 3,
  /** The state does not allow it, or the idempotency key belongs to another request. */
  refused: 4,
  /** The hub cannot be reached, is overloaded, or did not answer in time. */
  unavailable: 5,
  /** The caller is not authenticated or not permitted. */
  denied: 6,
  /** The followed run failed or was aborted. */
  pipelineFailed: 7,
  /** The followed run waits for a person. */
  waitsForPerson: 8,
  /** The audit record was altered, or is not signed with a trusted key. */
  recordBad: 9,
  /** The person answered no to a confirmation. */
  declined: 10,
  /** Fewer runs of an evaluation passed than its file requires. */
  evaluationFailed: 11,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** The shell's convention for a program that was ended by a signal. */
export const signalBase = 128;

/** The reader of the output is gone: the code of SIGPIPE. */
export const readerGone = signalBase + 13;
