/** Every limit of the command line, in one place. What the hub itself limits is the hub's business. */
export const limits = {
  /** One call that is answered at once. */
  callTimeoutMs: 30_000,
  /** One message in either direction: what the contract accepts. */
  messageBytes: 4 * 1024 * 1024,
  /** What may be on its way of one stream before it is read. */
  windowBytes: 1024 * 1024,
  /** Results of one pipeline that are read one by one, because all of them do not fit into one message. */
  resultBytes: 64 * 1024 * 1024,
  /** A task file, as text. */
  taskFileBytes: 4 * 1024 * 1024,
  /** Places where a YAML file may repeat an earlier part of itself. */
  yamlAliases: 100,
  /** A file that holds an API key. */
  keyFileBytes: 4096,
  /** A line of an exported audit record: an entry of the contract's size, in base64, with its proof. */
  auditLineBytes: 64 * 1024 * 1024,
  /** A file with a key or a checkpoint of a hub. */
  auditPinBytes: 64 * 1024,
  /** Rows of a list, however many are asked for. */
  listRows: 10_000,
  /** Questions of an inbox that are read to be sorted; of more the hub is asked risk by risk. */
  sortedQuestions: 500,
  /** Open questions that are read to say what the pipelines of a list wait for; of more each pipeline is asked by itself. */
  listedQuestions: 1_000,
  /** Calls that are under way at the same time. */
  callsAtOnce: 8,
  /** Pipelines that are read for the picture of what is under way, of those that run and of those that are paused. */
  watchedPipelines: 100,
  /** Rows of a list when nothing is said. */
  defaultListRows: 50,
  /** Rows asked for in one call. */
  pageRows: 100,
  /** The shortest part of an id that is looked up. */
  idPrefixLength: 4,
  /** Ids that are told when a part of one fits several. */
  toldIds: 5,
  /** Names that are told when one is given that there is not. */
  toldNames: 20,
  /** A watched pipeline is also looked at without an event, in case one went missing. */
  lookAgainMs: 2_000,
  /** The waits before a broken stream is opened again. */
  firstReconnectMs: 100,
  longestReconnectMs: 5_000,
  /** A hub that stays away this long is given up. */
  awayMs: 5 * 60_000,
  /** A line that an agent wrote, as it is shown. */
  shownCharacters: 400,
  /** Characters of the diffs of a change under review; what is small stays whole. */
  shownDiffCharacters: 40_000,
  /** Lines of what a command of the gate printed, those that tell of the failure. */
  shownOutputLines: 12,
  /** Lines of what an agent said that was no answer, its first ones. */
  shownRawLines: 6,
  /** Agents that are shut out, among which those that a question is about are looked for. */
  shownShutOut: 100,
  /** Attempts that were rejected or had to be made again, of one pipeline, the last ones. */
  shownSentBack: 10,
  /** Of the structured answer of a stage, as JSON. */
  shownDataLines: 40,
  /** Files that an ended run changed. */
  shownFiles: 100,
  /** Last stages of an ended run whose commits are read for the files that they change. */
  readChanges: 50,
  /** A thought that is gathered from its pieces. */
  thoughtCharacters: 2_000,
  /** Thoughts that are gathered, and tools that run, at the same time. */
  openTellings: 100,
  /** Events that wait to be told; the stream waits when there are more. */
  untoldEvents: 10_000,
  /**
   * How long an agent's last events may reach the hub after its answer, to be told before it; and how long after a decision
   * its moves may be stored.
   */
  settleMs: 250,
  /** Violations that are shown of one error. */
  shownViolations: 20,
  /** One line of the server's log. */
  logLineCharacters: 64 * 1024,
  /** The demonstration: until its hub is ready, and until its agents are there. */
  demoStartMs: 60_000,
  /** How long its programs have to end by themselves. */
  demoEndMs: 10_000,
  /** Between two things that are told on a terminal: time to read them. */
  demoBeatMs: 450,
  /** What is kept of what its programs write to standard error, to tell why one of them ended. */
  demoErrorCharacters: 4_000,
} as const;
