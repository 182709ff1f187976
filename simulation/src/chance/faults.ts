import type { Random } from "./random.ts";

/** Everything that can go wrong, by the name that the figures show. */
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
  // Agents: results that are none.
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
  // Agents: what they ask for and use.
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
 * How likely each fault is in one run. Each run has only some of them: what a rare fault does is easier to reach where
 * the frequent ones do not end everything first.
 */
export class Faults {
  private readonly rates = new Map<Fault, number>();
  readonly injected = new Map<Fault, number>();
  /** When the faults stop, everything has to come to an end. */
  stopped = false;
  private readonly random: Random;

  constructor(random: Random) {
    this.random = random;
    const share = random.pick([0, 0.15, 0.35, 0.6]);
    for (const kind of faultKinds) {
      if (random.chance(share)) this.rates.set(kind, random.pick([0.02, 0.06, 0.15, 0.4]));
    }
  }

  /** Whether this fault happens now; if so it is counted. */
  strikes(kind: Fault, weight = 1): boolean {
    if (this.stopped || !this.random.chance((this.rates.get(kind) ?? 0) * weight)) return false;
    this.count(kind);
    return true;
  }

  /** One of several that exclude each other, or none. They take turns at being asked first. */
  oneOf<Kind extends Fault>(kinds: readonly Kind[]): Kind | undefined {
    const first = this.random.int(0, kinds.length - 1);
    return [...kinds.slice(first), ...kinds.slice(0, first)].find((kind) => this.strikes(kind));
  }

  private count(kind: Fault): void {
    this.injected.set(kind, (this.injected.get(kind) ?? 0) + 1);
  }
}
