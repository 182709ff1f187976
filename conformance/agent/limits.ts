/** Every time, size and count of the suite, in one place. docs/how-to/check-an-agent.md describes those that matter. */
export const limits = {
  /** How long the agent may take to come for the first time. */
  arrivalMs: 30_000,
  /** How long it may take to come again, or to do one thing, before the case has failed; --patience changes it. */
  patienceMs: 10_000,
  /** How often an attached agent is asked for heartbeats, and for how many the suite waits. */
  heartbeatMs: 100,
  heartbeats: 3,
  /** The lease of an agent that is called; so many heartbeats renew it. Patience covers what a busy machine adds. */
  leaseMs: 900,
  /** A task of `conformance.slow` that is short, one that outlasts it, and one that only a wrong agent ends. */
  slowMs: 150,
  slowerMs: 300,
  longMs: 2_000,
  /** What an attempt may take that would take long. */
  timeoutMs: 200,
  /** How long the welcome is delayed, to find out whether the agent waits for it. */
  welcomeMs: 100,
  /** How long an agent that was shut out is watched. */
  shutOutMs: 1_000,
  /** How long a program that the suite started may take to leave before it is killed. */
  killMs: 5_000,
  /** Between two looks at what cannot be waited for. */
  pollMs: 20,
  /** The large envelope: as many pieces of context, each as long as the contract allows. */
  snippets: 256,
  snippetLength: 4_096,
  /** What the large envelope's inputs hold, and the answer has to give back. */
  inputLength: 128 * 1024,
  /** Messages that are kept of one agent; beyond that it is cut off. */
  messages: 100_000,
  /** Characters of what was seen that a line of the report shows. */
  seenLength: 300,
} as const;
