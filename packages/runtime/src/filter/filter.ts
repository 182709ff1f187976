/**
 * The one filter (A §5.3): whatever leaves the hub passes it, and each way out has its own entrance, so that a failure
 * says where it happened. docs/reference/ways-out.md lists the ways.
 *
 * F1. What cannot be redacted does not leave: the write, the answer or the line is refused whole.
 * F2. Every failure is told: once as it happens, and as a count for as long as the hub runs.
 * F3. Redaction that takes longer than its limit has failed, although it has come to an end. Where it can be done again it
 *     is: a machine that slept in between does not do so twice.
 * F4. Redaction that does not come back at all is told by a thread beside (stall-watch.ts); nothing leaves meanwhile.
 */
import {
  createRedactor,
  RedactionFailure,
  type RedactionFailureCode,
  type RedactionPlace,
  type Redactor,
} from "@baton/kernel";
import { redactionLimits } from "./redaction-limits.ts";
import type { StallWatch } from "./stall-watch.ts";

export type WayOut =
  /** Audit entries, when they are sealed. */
  | "audit"
  /** What lists show of pipelines and escalations, when it is stored. */
  | "listing"
  /** What agents and commands tell while they work, when it is stored and when it is shown to watchers. */
  | "event"
  /** Answers to calls of the API. */
  | "answer"
  /** Errors of the API, and refusals to agents. */
  | "error"
  /** What an agent is told beside its contract. */
  | "agent"
  /** Lines of the log, and what a start that fails prints. */
  | "log";

export interface RedactionAlert {
  readonly way: WayOut;
  readonly code: RedactionFailureCode;
}

export interface FailureCount extends RedactionAlert {
  readonly count: number;
}

export interface FilterOptions {
  /** The usual one unless told: A §5.3's policy, with personal data masked wherever it is found. */
  readonly redactor?: Redactor;
  /** Somebody has to look: nothing has left, and perhaps nothing will. */
  readonly onFailure?: (alert: RedactionAlert) => void;
  /** How long one call of the redactor may take. */
  readonly limitMs?: number;
  readonly nowMs?: () => number;
}

export const filterLimits = { redactionMs: 1_000 } as const;

export class Filter {
  #redactor: Redactor;
  readonly #limitMs: number;
  readonly #nowMs: () => number;
  readonly #failures = new Map<string, FailureCount>();
  readonly #ways = new Map<WayOut, Redactor>();
  #onFailure: ((alert: RedactionAlert) => void) | undefined;
  #watch: StallWatch | undefined;

  constructor(options: FilterOptions = {}) {
    this.#redactor = options.redactor ?? usualRedactor();
    this.#onFailure = options.onFailure;
    this.#limitMs = options.limitMs ?? filterLimits.redactionMs;
    this.#nowMs = options.nowMs ?? (() => performance.now());
  }

  /** The redactor of the policy in force. Whoever prepares something from it asks again when this is another one. */
  get redactor(): Redactor {
    return this.#redactor;
  }

  /** The policy has changed: from now on everything passes by the new one. */
  use(redactor: Redactor): void {
    this.#redactor = redactor;
  }

  /** Whom to tell of failures from now on. */
  alert(onFailure: (alert: RedactionAlert) => void): void {
    this.#onFailure = onFailure;
  }

  /** Who looks from now on whether redaction comes back. */
  watchBy(watch: StallWatch): void {
    this.#watch = watch;
  }

  /** What failed since the hub began, for whoever looks after it. */
  get failures(): readonly FailureCount[] {
    return [...this.#failures.values()];
  }

  /** The entrance of a way out. */
  at(way: WayOut): Redactor {
    const known = this.#ways.get(way);
    if (known) return known;
    const made = this.#entrance(way);
    this.#ways.set(way, made);
    return made;
  }

  /** Does what ends in something that leaves, perhaps a second time. A failure to redact is told, and thrown on. */
  guard<Result>(way: WayOut, work: () => Result, times: 1 | 2 = 2): Result {
    const before = this.#watch?.enter(way);
    try {
      for (let left = times; left > 0; left--) {
        const began = this.#nowMs();
        const result = work();
        if (this.#nowMs() - began <= this.#limitMs) return result;
      }
      throw new RedactionFailure("BATON-REDACTION-105");
    } catch (error) {
      if (error instanceof RedactionFailure) this.#count(way, error.code);
      throw error;
    } finally {
      if (before !== undefined) this.#watch?.leave(before);
    }
  }

  #entrance(way: WayOut): Redactor {
    const run = <Result>(work: (redactor: Redactor) => Result): Result =>
      this.guard(way, () => closed(() => work(this.#redactor)));
    /** For what has taken a piece, and must not take it twice. */
    const once = <Result>(work: () => Result): Result => this.guard(way, () => closed(work), 1);
    return {
      redactText: (text, coverage) => run((redactor) => redactor.redactText(text, coverage)),
      redactValue: (value, root) => run((redactor) => redactor.redactValue(value, root)),
      redactMessage: (schema, message) => run((redactor) => redactor.redactMessage(schema, message)),
      place: (root) => closedPlace(closed(() => this.#redactor.place(root))),
      createStream: (coverage, from) => {
        const stream = run((redactor) => redactor.createStream(coverage, from));
        return {
          push: (chunk) => once(() => stream.push(chunk)),
          end: () => once(() => stream.end()),
          cut: () => once(() => stream.cut()),
          get heldBack() {
            return stream.heldBack;
          },
          get undecided() {
            return stream.undecided;
          },
        };
      },
      createLineMasker: (coverage, from) => {
        const masker = run((redactor) => redactor.createLineMasker(coverage, from));
        return {
          push: (chunk) => once(() => masker.push(chunk)),
          end: () => once(() => masker.end()),
          cut: () => once(() => masker.cut()),
          get undecided() {
            return masker.undecided;
          },
        };
      },
      maskLine: (line, coverage) => run((redactor) => redactor.maskLine(line, coverage)),
    };
  }

  #count(way: WayOut, code: RedactionFailureCode): void {
    const key = `${way} ${code}`;
    this.#failures.set(key, { way, code, count: (this.#failures.get(key)?.count ?? 0) + 1 });
    this.#onFailure?.({ way, code });
  }
}

/** Whatever a redactor throws is a failure to redact; its own words may quote what was to be masked. */
function closed<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof RedactionFailure ? error : new RedactionFailure("BATON-REDACTION-101");
  }
}

/** Its users guard the whole of what they write by it, since one message has many fields. */
function closedPlace(place: RedactionPlace): RedactionPlace {
  return {
    masked: place.masked,
    enter: (name, otherName) => closedPlace(closed(() => place.enter(name, otherName))),
    redact: (text) => closed(() => place.redact(text)),
    copyPlain: place.copyPlain,
  };
}

export function usualRedactor(): Redactor {
  const made = createRedactor({ personalData: "everywhere", limits: redactionLimits });
  if (!made.ok) throw new Error(`the usual redaction policy is wrong: ${made.problems[0]?.message}`);
  return made.redactor;
}
