/** Every size, count and time limit of model agents. docs/reference/limits.md lists them. */
export const limits = {
  /** Characters of one answer: reasoning, text and arguments of tools. */
  textLength: 8 * 1024 * 1024,
  /** Tools of an agent. */
  tools: 128,
  /** Model calls and tool calls of an attempt. */
  steps: 1_000,
  /** Characters of a tool's output that the model reads. */
  toolTextLength: 256 * 1024,
  /** Characters of the arguments, as JSON, of a call that a person approves. */
  approvalLength: 65_536,
  /** Bytes that the command of a tool may print. */
  toolOutputBytes: 32 * 1024 * 1024,
  /** Bytes of an answer that an HTTP tool reads. */
  httpBytes: 1024 * 1024,
  /** Of an MCP server: bytes of one message or answer, tools, pages of their list, characters of a definition. */
  mcpBytes: 16 * 1024 * 1024,
  servedTools: 1_000,
  servedPages: 64,
  definitionLength: 65_536,
  /** Characters of an unreadable answer that its fallback object keeps. */
  rawLength: 1024 * 1024,
  /** Characters of a turn's thought. */
  thoughtLength: 256 * 1024,
  /** Violations that go back to the model. */
  violations: 50,
  /** Characters of a violating value that go back to the model. */
  valueLength: 200,
  /** Tries of one model; fewer when another one follows. */
  tries: 5,
  triesBeforeFallback: 2,
  /** Delay between tries: full jitter up to this bound, which doubles. */
  retryFirstMs: 500,
  retryMostMs: 30_000,
  /** A longer delay that a provider asks for is not waited for when another model follows. */
  waitBeforeFallbackMs: 10_000,
  /** Thoughts are published together: what comes first. */
  thoughtDelayMs: 40,
  thoughtPiece: 1_024,
  /** Of an attempt whose envelope states neither timeout nor deadline. */
  attemptMs: 24 * 60 * 60_000,
  /** Characters of a provider's message in a failure. */
  reasonLength: 1_000,
} as const;
