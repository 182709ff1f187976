import type { Point } from "@baton/runtime";
import { noKills } from "./kill-plan.ts";

/** Faults other than kills of the hub. */
const noFaults = {
  "an agent killed": 0,
  "an agent stopped past its lease": 0,
  "a connection cut in the middle of a message": 0,
  "a message delayed": 0,
  "an answer repeated": 0,
  "an answer after the attempt was given up": 0,
  "an event repeated": 0,
  "a turn repeated": 0,
  "a heartbeat repeated": 0,
  "a registration repeated": 0,
  "the answer to a cancel repeated": 0,
  "a reply of a person repeated": 0,
  "a submission repeated": 0,
  "the clock an hour ahead": 0,
  "the clock an hour back": 0,
  "the clock set while the hub runs": 0,
  "an agent's clock an hour ahead": 0,
  "an agent's clock an hour back": 0,
  "an agent's clock set while it runs": 0,
  "a webhook refused": 0,
  "the answer to a webhook lost": 0,
  "the disk full": 0,
};

export type Fault = keyof typeof noFaults;

/** The counts of a run. */
export class Figures {
  readonly kills: Record<Point | "from outside", number> = { ...noKills, "from outside": 0 };
  readonly faults: Record<Fault, number> = { ...noFaults };
  readonly answers: Record<string, number> = {};
  readonly records: Record<string, number> = {};
  restarts = 0;
  acknowledged = 0;
  ended = 0;
  dispatches = 0;
  runs = 0;
  doubleRuns = 0;
  stepRuns = 0;
  /** Steps of which a later attempt used the stored value. */
  stepsUsedAgain = 0;
  doubleCompletions = 0;
  /** Answers without effect: repeated, or of an attempt that was given up. */
  fencedRepeats = 0;
  fencedLate = 0;
  auditEntries = 0;
  /** Delivered messages, and how often one came again. */
  webhooks = 0;
  webhookRepeats = 0;
  events = 0;
  startMs: number[] = [];
  recovery: Recovery | undefined;
  readonly skipped: string[] = [];

  get killCount(): number {
    return Object.values(this.kills).reduce((sum, count) => sum + count, 0);
  }

  fault(kind: Fault, times = 1): void {
    this.faults[kind] += times;
  }

  answer(kind: string): void {
    this.answers[kind] = (this.answers[kind] ?? 0) + 1;
  }
}

/** Times since the start of the process after a kill. */
export interface Recovery {
  readonly pipelines: number;
  readonly readyMs: number;
  readonly firstMs: number;
  readonly lastMs: number;
}
