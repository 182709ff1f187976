/** Every size, count and time limit of the SDK. docs/reference/agent-protocols.md lists them. */
export const limits = {
  /** Attempts queued at the agent. Further attempts are answered as retryable failures, or with "busy". */
  queuedAttempts: 16,
  /** Concurrent tasks. */
  capacity: 512,
  /** Ended attempts whose ids are remembered, so that none runs twice. */
  rememberedAttempts: 1_000,
  /** Models that a result names; further ones are counted together. */
  models: 64,
  /** Characters of the name of a model or provider. */
  modelName: 256,
  /** Timeout of an attempt whose envelope states neither deadline nor timeout. */
  attemptMs: 24 * 60 * 60_000,
  /** How long a cancel waits for `run` to return before it is answered. */
  stopMs: 5_000,

  /** Unacknowledged messages, and their bytes. Beyond it events are dropped, then turns; results stay. */
  outboxMessages: 10_000,
  outboxBytes: 64 * 1024 * 1024,
  /** Unacknowledged results. With capacity and queue they are the 1,024 dispatches that a hello may name. */
  unacknowledgedAnswers: 496,
  /** Reconnect delay: full jitter up to this bound, which doubles. */
  reconnectFirstMs: 100,
  reconnectMostMs: 2_000,
  /** A stream that ends sooner counts as one more failure. */
  shortStreamMs: 1_000,
  /** Deadline of every call, and of the welcome on a stream. */
  answerMs: 10_000,
  /** From a call of `@baton/agent/testing` to its answer, the events of a whole run included. */
  testAnswerMs: 60_000,
  /** A silent connection is pinged after this time, and closed when the ping is not answered in time. */
  pingMs: 10_000,
  pingAnswerMs: 5_000,
  /** HTTP/2 window: some hundred tasks, or one of the largest. */
  windowBytes: 5 * 1024 * 1024,
  /** Bytes per write to the stream, unless one message is larger. */
  burstBytes: 256 * 1024,
  /** Default grace of close(). */
  closeMs: 30_000,
  /** How long a closing agent waits for acknowledgement of its last messages. */
  flushMs: 2_000,
  /** Bounds of the heartbeat interval, whatever the hub asks for. */
  heartbeatLeastMs: 50,
  heartbeatMostMs: 5 * 60_000,
  /** The lease that an agent that listens requests. */
  leaseMs: 30_000,

  /** What is kept of a command's output: its beginning and its end. */
  outputHeadBytes: 8 * 1024,
  outputTailBytes: 24 * 1024,
  /** Default size of `stdout`; half of it is kept from the beginning. */
  stdoutBytes: 1024 * 1024,
  /** From SIGTERM to SIGKILL. */
  killMs: 2_000,
  /** Default timeout of a command. */
  execMs: 60 * 60_000,

  /** The value of a durable step as JSON, and the question about one. */
  stepValueBytes: 1024 * 1024,
  stepQuestionLength: 400,
  /** Calls of ListSteps that a page waits for at most, each with the delay of a reconnect. */
  stepCallTries: 20,
  /** Binary content within `data`; larger content is uploaded. */
  inlineBytes: 256 * 1024,
  /** Timeout of an upload or a download. */
  uploadMs: 10 * 60_000,

  evidenceItems: 100,
  /** Output of all evidence; beyond it the oldest outputs are withheld. */
  evidenceBytes: 2 * 1024 * 1024,
  artifacts: 5_000,
  /** Decisions, risks and assumptions, each. */
  notes: 1_000,
  /** Characters of a failure reason. */
  reasonLength: 4_096,
  /** The period that health covers. */
  healthWindowMs: 60_000,
  /** Ended attempts that health counts. */
  healthSamples: 1_000,

  /** Ended attempts whose messages an agent that listens keeps, and the size of one. */
  transcripts: 100,
  transcriptBytes: 16 * 1024 * 1024,
  /** Concurrent callers of one attempt. */
  listenersPerAttempt: 8,
} as const;

/** The longest delay that a Node timer accepts. */
export const longestTimerMs = 2 ** 31 - 1;
