/** Every size, count and time that the SDK keeps to, in one place. docs/reference/agent-protocols.md lists them. */
export const limits = {
  /** Attempts that wait at the agent for a free place. More are answered as retryable failures, or with "busy". */
  queuedAttempts: 16,
  /** The most tasks at once. */
  capacity: 512,
  /** Ended attempts whose ids are remembered, so that none is run twice. */
  rememberedAttempts: 1_000,
  /** An attempt whose envelope states neither deadline nor timeout. */
  attemptMs: 24 * 60 * 60_000,
  /** How long a cancel waits for the function to return before it is answered. */
  stopMs: 5_000,

  /** Messages that wait for the hub's acknowledgement, and their bytes. Events go first, then turns; results stay. */
  outboxMessages: 10_000,
  outboxBytes: 64 * 1024 * 1024,
  /** Answers that wait for it. With capacity and queue they are the 1,024 dispatches that a hello may name. */
  unacknowledgedAnswers: 496,
  /** Retries of the stream: full jitter up to this, doubled each time. */
  reconnectFirstMs: 100,
  reconnectMostMs: 2_000,
  /** A stream that lives shorter than this counts as one more failure. */
  shortStreamMs: 1_000,
  /** How long the hub may take to say welcome, or to answer a call. */
  answerMs: 10_000,
  /** How often the connection is tried when it is silent, and how long it may stay silent then. */
  pingMs: 10_000,
  pingAnswerMs: 5_000,
  /** What the hub may send before the agent has read: some hundred tasks, or one of the largest. */
  windowBytes: 5 * 1024 * 1024,
  /** What is written to the stream at once, unless one message is larger. */
  burstBytes: 256 * 1024,
  /** How long close() lets running work go on, unless told. */
  closeMs: 30_000,
  /** How long a leaving agent waits for what it has just sent. */
  flushMs: 2_000,
  /** The shortest and the longest interval between heartbeats, whatever the hub says. */
  heartbeatLeastMs: 50,
  heartbeatMostMs: 5 * 60_000,
  /** The lease that an agent that listens asks for. */
  leaseMs: 30_000,

  /** What is kept of a command's output: its beginning and its end. */
  outputHeadBytes: 8 * 1024,
  outputTailBytes: 24 * 1024,
  /** What the author is given of stdout alone, unless told; half of it from the beginning. */
  stdoutBytes: 1024 * 1024,
  /** From SIGTERM to SIGKILL. */
  killMs: 2_000,
  /** A command that states no time of its own. */
  execMs: 60 * 60_000,

  evidenceItems: 100,
  /** Output of all pieces of evidence together; the oldest outputs are left out beyond it. */
  evidenceBytes: 2 * 1024 * 1024,
  artifacts: 5_000,
  /** Decisions, risks and assumptions, each. */
  notes: 1_000,
  /** Characters that are kept of a text that explains a failure. */
  reasonLength: 4_096,
  /** How far back health looks. */
  healthWindowMs: 60_000,
  /** Ended attempts that health remembers. */
  healthSamples: 1_000,

  /** Ended attempts whose messages an agent that listens keeps, and what one of them may keep. */
  transcripts: 100,
  transcriptBytes: 16 * 1024 * 1024,
  /** Streams that may be open at one attempt. */
  listenersPerAttempt: 8,
} as const;

/** The longest time a timer of Node takes. */
export const longestTimerMs = 2 ** 31 - 1;
