/** The limits of the command line. The limits of the hub are its own. */
export const limits = {
  /** The deadline of a call. */
  callTimeoutMs: 30_000,
  /** A stream that is silent longer is opened again. */
  streamIdleMs: 60_000,
  /** One message in either direction: what the contract accepts. */
  messageBytes: 4 * 1024 * 1024,
  /** Bytes in flight per stream. */
  windowBytes: 1024 * 1024,
  /** Results of one run that are read one by one, because they do not fit into one message together. */
  resultBytes: 64 * 1024 * 1024,
  /** A task file, as text. */
  taskFileBytes: 4 * 1024 * 1024,
  /** Aliases in a YAML file. */
  yamlAliases: 100,
  /** A file that holds an API key. */
  keyFileBytes: 4096,
  /** A line of an exported audit record: an entry of the contract's size, in base64, with its proof. */
  auditLineBytes: 64 * 1024 * 1024,
  /** A file with a key or a checkpoint of a hub. */
  auditPinBytes: 64 * 1024,
  /** Rows of a list, whatever --limit says. */
  listRows: 10_000,
  /** Questions that the inbox reads and sorts itself; beyond that it queries the hub by risk. */
  sortedQuestions: 500,
  /** Open questions that a list of runs reads with one query; beyond that each run is queried. */
  listedQuestions: 1_000,
  /** Calls that are under way at the same time. */
  callsAtOnce: 8,
  /** Running runs, and paused runs, that the live view reads. */
  watchedPipelines: 100,
  /** Rows of a list without --limit. */
  defaultListRows: 50,
  /** Rows per call. */
  pageRows: 100,
  /** Ended attempts per agent: all that the hub remembers. */
  recentAttempts: 20,
  /** The shortest prefix of an id that is looked up. */
  idPrefixLength: 4,
  /** Ids that are listed when a prefix is ambiguous. */
  listedIds: 5,
  /** Names that are listed when an unknown one is given. */
  listedNames: 20,
  /** A followed run is also read without an event, in case one was lost. */
  pollMs: 2_000,
  /** Delays before a broken stream is opened again. */
  firstReconnectMs: 100,
  maxReconnectMs: 5_000,
  /** The longest outage of the hub that a follower waits for. */
  maxAbsenceMs: 5 * 60_000,
  /** A line of an agent. */
  lineCharacters: 400,
  /** The diffs of a change under review; small diffs stay whole. */
  diffCharacters: 40_000,
  /** Lines of a gate command's output: those that describe the failure. */
  outputLines: 12,
  /** First lines of an invalid answer. */
  rawAnswerLines: 6,
  /** Quarantined agents that are searched for those that a question is about. */
  quarantinedAgents: 100,
  /** Durable steps of a run that `runs show` lists. */
  steps: 50,
  /** The last attempts of a run that were rejected or retried. */
  setbacks: 10,
  /** Lines of a stage's structured answer, as JSON. */
  dataLines: 40,
  /** Files that an ended run changed. */
  listedFiles: 100,
  /** Last stages of an ended run whose commits are read for the files that they change. */
  readChanges: 50,
  /** A thought that is joined from its chunks. */
  thoughtCharacters: 2_000,
  /** Thoughts that are joined, and tools that run, at the same time. */
  openActivities: 100,
  /** Events that wait to be printed; beyond that the stream waits. */
  bufferedEvents: 10_000,
  /**
   * How long after an answer the hub may still receive the agent's last events, which are printed before it; and how long
   * after a decision its transitions may be stored.
   */
  settleMs: 250,
  /** Violations that are listed of one error. */
  listedViolations: 20,
  /** One line of the server's log. */
  logLineCharacters: 64 * 1024,
  /** How long the demonstration waits for its hub, and for its agents. */
  demoStartMs: 60_000,
  /** From SIGTERM to SIGKILL for its programs. */
  demoEndMs: 10_000,
  /** Between two lines on a terminal, so that a person can read them. */
  demoLineMs: 450,
  /** The end of its programs' standard error, which says why one of them ended. */
  demoErrorCharacters: 4_000,
} as const;
