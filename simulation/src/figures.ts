import type { Fault } from "./chance/faults.ts";
import {
  breakerTransitions,
  leaseTransitions,
  pipelineTransitions,
  stageTransitions,
  standingTransitions,
} from "./kernel.ts";

/** The totals of all runs. Plain counts, so that workers can send them. */
export interface Figures {
  seeds: number;
  decisions: number;
  faults: Partial<Record<Fault, number>>;
  ends: Record<string, number>;
  transitions: Record<string, number>;
}

export function noFigures(): Figures {
  return { seeds: 0, decisions: 0, faults: {}, ends: {}, transitions: {} };
}

export function count<Key extends string>(counts: Partial<Record<Key, number>>, key: Key, times = 1): void {
  counts[key] = (counts[key] ?? 0) + times;
}

export function addFigures(sum: Figures, more: Figures): void {
  sum.seeds += more.seeds;
  sum.decisions += more.decisions;
  for (const part of ["faults", "ends", "transitions"] as const) {
    for (const [key, times] of Object.entries(more[part])) count<string>(sum[part], key, times);
  }
}

/** Every transition of every machine, by the name of its count. */
export function allTransitions(): readonly string[] {
  const machines = {
    pipeline: pipelineTransitions,
    stage: stageTransitions,
    breaker: breakerTransitions,
    lease: leaseTransitions,
    standing: standingTransitions,
  };
  return Object.entries(machines).flatMap(([machine, table]) =>
    Object.entries(table).flatMap(([from, events]) =>
      Object.keys(events).map((event) => `${machine} ${from} ${event}`),
    ),
  );
}
