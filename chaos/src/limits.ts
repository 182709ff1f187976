/** Every time, size and count of the chaos, in one place. Times are in milliseconds. */
export const limits = {
  /** A lease is short, so that an agent that is stopped is soon seen to be gone. */
  leaseMs: 2_100,
  resumeGraceMs: 1_000,
  /** Trips now and then, and lets a probe through soon. */
  breaker: { errorThreshold: 40, windowMs: 2_000, halfOpenAfterMs: 500 },
  /** How long an agent is stopped: past its lease, and past the look at it. */
  stopMs: 4_500,
  /** How long a hub may take to be ready; only ends what hangs. */
  startMs: 60_000,
  /** How long a hub may live before it is killed from outside because it never came to the point. */
  reachMs: 4_000,
  /** How often a point is passed before the hub dies there, at the most. */
  passes: 30,
  /** How long everything may take to end once the faults have stopped. It only ends what hangs. */
  calmMs: 180_000,
  /** How often a message or a submission is said, at the most. */
  repeats: 5,
  /** What an attempt at the slow kind of work takes, about. */
  slowMs: 250,
  agentCapacity: 32,
  stageMs: 20_000,
  /** What an attempt has whose answer is to come too late. */
  lateMs: 1_000,
  attempts: 100,
  retries: 10_000,
  rejections: 50,
  callMs: 10_000,
  /** How long a hub that is told to stop gives what is under way. */
  drainMs: 5_000,
  retryCallMs: 50,
  lookMs: 100,
  /** How long a watcher may hear nothing while something is stored. */
  silenceMs: 60_000,
  /** How long a chunk is held back on its way. */
  delayMs: 300,
  jumpMs: 60 * 60_000,
  /** The small disk, and what fills it. */
  diskBytes: 12 * 1024 * 1024,
  ballastChunkBytes: 64 * 1024,
  diskPipelines: 12,
  /** How long it stays full. */
  fullMs: 1_500,
  /** Violations of one kind that are told in full. */
  violationsTold: 5,
} as const;

/** How much goes on in a run: the long one is for `npm run chaos`, the short one for `npm test`. */
export interface Form {
  readonly agents: readonly { readonly pack: string; readonly instances: number }[];
  /** Pipelines that are kept open while the hub is being killed. */
  readonly openPipelines: number;
  /** Between two submissions. */
  readonly submitMs: number;
  /** Pipelines that are under way when the recovery is measured. */
  readonly recoveredPipelines: number;
  /** The longest life that ends at a random time. */
  readonly randomLifeMs: number;
  /** How long after its start a hub is told at which point to die, at the most. */
  readonly armMs: number;
  /** Between two other faults, at the most. */
  readonly disturbMs: number;
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
    randomLifeMs: 2_500,
    armMs: 1_500,
    disturbMs: 1_500,
  },
  short: {
    agents: [
      { pack: "worker", instances: 1 },
      { pack: "other-worker", instances: 1 },
    ],
    openPipelines: 12,
    submitMs: 100,
    recoveredPipelines: 40,
    randomLifeMs: 600,
    armMs: 400,
    disturbMs: 6_000,
  },
} as const satisfies Record<string, Form>;

/** What the person of the chaos decides with; the hub and whoever answers it are different processes. */
export const operatorToken = `baton-operator_${"A".repeat(43)}`;
