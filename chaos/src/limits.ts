/** Every time, size and count. Times are in milliseconds. */
export const limits = {
  /** Short, so that a stopped agent is soon considered lost. */
  leaseMs: 2_100,
  resumeGraceMs: 1_000,
  /** Trips sometimes, and admits a probe soon. */
  breaker: { errorThreshold: 40, windowMs: 2_000, halfOpenAfterMs: 500 },
  /** How long an agent is stopped: longer than its lease and the next check. */
  stopMs: 4_500,
  /** Ends only a hub that hangs. */
  startMs: 60_000,
  /** How long a hub runs before it is killed because it did not reach its point. */
  reachMs: 4_000,
  /** Most passes of a point before the hub dies there. */
  passes: 30,
  /** Ends only pipelines that hang. */
  endMs: 180_000,
  /** Most repetitions of a message or a submission. */
  repeats: 5,
  /** Typical duration of a slow attempt. */
  slowMs: 250,
  agentCapacity: 32,
  stageMs: 20_000,
  /** The timeout of an attempt that is answered too late. */
  lateMs: 1_000,
  attempts: 100,
  retries: 10_000,
  rejections: 50,
  callMs: 10_000,
  /** How long a stopping hub waits for calls under way. */
  drainMs: 5_000,
  retryCallMs: 50,
  pollMs: 100,
  /** The longest silence of a watch while events are stored. */
  silenceMs: 60_000,
  /** The longest delay of a chunk. */
  delayMs: 300,
  jumpMs: 60 * 60_000,
  /** The small disk, and the pieces that fill it. */
  diskBytes: 12 * 1024 * 1024,
  ballastChunkBytes: 64 * 1024,
  diskPipelines: 12,
  fullMs: 1_500,
  /** Violations of each kind that are printed. */
  violationsPrinted: 5,
} as const;

/** The size of a run: `long` for `npm run chaos`, `short` for `npm test`. */
export interface Form {
  readonly agents: readonly { readonly pack: string; readonly instances: number }[];
  /** Pipelines kept open while the hub is killed. */
  readonly openPipelines: number;
  /** Time between submissions. */
  readonly submitMs: number;
  /** Pipelines under way when the recovery is measured. */
  readonly recoveredPipelines: number;
  /** Latest random kill after a start. */
  readonly randomKillMs: number;
  /** Latest time after a start at which the hub is armed. */
  readonly armMs: number;
  /** Longest time between two other faults. */
  readonly faultEveryMs: number;
}

export const forms = {
  long: {
    agents: [
      { pack: "worker", instances: 2 },
      { pack: "other-worker", instances: 2 },
    ],
    openPipelines: 24,
    submitMs: 60,
    recoveredPipelines: 200,
    randomKillMs: 2_500,
    armMs: 1_500,
    faultEveryMs: 1_500,
  },
  short: {
    agents: [
      { pack: "worker", instances: 1 },
      { pack: "other-worker", instances: 1 },
    ],
    openPipelines: 12,
    submitMs: 100,
    recoveredPipelines: 40,
    randomKillMs: 600,
    armMs: 400,
    faultEveryMs: 6_000,
  },
} as const satisfies Record<string, Form>;

/** The credential of the person, shared with the hub process. */
export const operatorToken = `baton-operator_${"A".repeat(43)}`;
