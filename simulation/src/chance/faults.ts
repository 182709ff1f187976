import type { Random } from "./random.ts";

/** Every fault, by the name in the figures. */
export const faultKinds = [
  // The network.
  "message dropped",
  "message duplicated",
  "message delayed",
  "transport failure",
  // The store.
  "commit fails",
  "commit stored but its answer lost",
  "commit slow",
  "read fails",
  // The hub.
  "crash after decide",
  "crash before commit",
  "crash while storing",
  "crash after commit",
  "crash after answers",
  "crash before a command",
  "crash after a command",
  "message lost with the hub",
  "input repeated",
  "place not made",
  "work not kept",
  "timer rings early",
  // Agents: outcomes.
  "partial result",
  "retryable failure",
  "non-retryable failure",
  "policy blocked",
  // Agents: evidence.
  "lie about evidence",
  "failing evidence",
  // Agents: invalid results.
  "wrong trace",
  "wrong attempt",
  "wrong dispatch",
  "wrong task",
  "wrong version",
  "unreadable result",
  "no evidence",
  "no outcome",
  // Agents: time and presence.
  "hang",
  "death",
  "late answer",
  "two answers",
  "stale answer",
  "stream lost",
  "heartbeats stop",
  "unwell agent",
  // Agents: requests and spending.
  "overspending",
  "no usage",
  "too many steps",
  "falling confidence",
  "clarification",
  "sent back",
  "response failure",
  "workflow ended early",
  // References.
  "unreadable reference",
  // People.
  "person never answers",
  "review rejected",
  "review failed",
  "wrong reviewer",
  "pause",
  "abort",
  "odd answer",
  "submitted twice",
  "rewind to a transition",
] as const;

export type Fault = (typeof faultKinds)[number];

/**
 * The probability of each fault in one run. Each run has only some of them, since frequent faults would end everything
 * before a rare one has an effect.
 */
export class Faults {
  private readonly rates = new Map<Fault, number>();
  readonly injected = new Map<Fault, number>();
  /** Set at the end of a run, so that everything can end. */
  stopped = false;
  private readonly random: Random;

  constructor(random: Random) {
    this.random = random;
    const share = random.pick([0, 0.15, 0.35, 0.6]);
    for (const kind of faultKinds) {
      if (random.chance(share)) this.rates.set(kind, random.pick([0.02, 0.06, 0.15, 0.4]));
    }
  }

  /** Draws whether the fault happens now, and counts it. */
  strikes(kind: Fault, weight = 1): boolean {
    if (this.stopped || !this.random.chance((this.rates.get(kind) ?? 0) * weight)) return false;
    this.count(kind);
    return true;
  }

  /** At most one of several exclusive faults. The order in which they are drawn rotates. */
  oneOf<Kind extends Fault>(kinds: readonly Kind[]): Kind | undefined {
    const first = this.random.int(0, kinds.length - 1);
    return [...kinds.slice(first), ...kinds.slice(0, first)].find((kind) => this.strikes(kind));
  }

  private count(kind: Fault): void {
    this.injected.set(kind, (this.injected.get(kind) ?? 0) + 1);
  }
}
