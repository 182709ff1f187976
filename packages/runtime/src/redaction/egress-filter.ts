/**
 * The filter that all data passes when it leaves the hub (A §5.3). Each egress has its own entrance, so that a
 * failure names it. docs/reference/egress.md lists them.
 *
 * F1. What cannot be redacted does not leave: the write, the answer or the line is refused as a whole.
 * F2. Every failure is reported when it happens and counted while the hub runs.
 * F3. Redaction that exceeds its time limit has failed even if it returns. It is retried once where possible, because
 *     the machine may have slept.
 * F4. Redaction that does not return is reported by another thread (stall-watch.ts); nothing leaves meanwhile.
 */
import { defaultLimits, type Limits } from "@baton/contract";
import {
  createRedactor,
  RedactionFailure,
  type RedactionFailureCode,
  type RedactionLocation,
  type Redactor,
  type TextRedaction,
} from "@baton/kernel";
import type { StallWatch } from "./stall-watch.ts";

export type Egress =
  /** Audit entries, before they are chained. */
  | "audit"
  /** Rows of lists, when they are stored. */
  | "listing"
  /** Events of agents and commands, when they are stored and when watchers receive them. */
  | "event"
  /** Answers to calls of the API. */
  | "answer"
  /** Errors of the API, and refusals to agents. */
  | "error"
  /** What an agent receives besides its contract. */
  | "agent"
  /** Messages to webhooks. */
  | "webhook"
  /** Lines of the log, and the output of a failing start. */
  | "log";

export interface RedactionAlert {
  readonly egress: Egress;
  readonly code: RedactionFailureCode;
}

export interface FailureCount extends RedactionAlert {
  readonly count: number;
}

export interface EgressFilterOptions {
  /** Default: the policy of A §5.3, with personal data masked everywhere. */
  readonly redactor?: Redactor;
  /** Called when nothing left and an operator has to act. */
  readonly onFailure?: (alert: RedactionAlert) => void;
  /** Maximum processor time of one call of the redactor. */
  readonly limitMs?: number;
  readonly nowMs?: () => number;
}

/**
 * Limits of one redacted response. It has more elements than an incoming message: a page has up to a thousand rows, and
 * a pipeline up to a thousand stages with results. A page has at most one element per two bytes.
 */
export const redactionLimits: Limits = { ...defaultLimits, maxElements: 400_000 };

export const egressLimits = { redactionMs: 1_000 } as const;

export class EgressFilter {
  #redactor: Redactor;
  readonly #limitMs: number;
  readonly #nowMs: () => number;
  readonly #processorMs: () => number;
  readonly #failures = new Map<string, FailureCount>();
  readonly #entrances = new Map<Egress, Redactor>();
  #onFailure: ((alert: RedactionAlert) => void) | undefined;
  #watch: StallWatch | undefined;

  constructor(options: EgressFilterOptions = {}) {
    this.#redactor = options.redactor ?? defaultRedactor();
    this.#onFailure = options.onFailure;
    this.#limitMs = options.limitMs ?? egressLimits.redactionMs;
    this.#nowMs = options.nowMs ?? (() => performance.now());
    this.#processorMs = options.nowMs ?? processorMs;
  }

  /** The redactor of the current policy. Values derived from it must be derived again when it changes. */
  get redactor(): Redactor {
    return this.#redactor;
  }

  /** Switches to another policy. */
  use(redactor: Redactor): void {
    this.#redactor = redactor;
  }

  /** Sets the listener for failures. */
  onFailures(onFailure: (alert: RedactionAlert) => void): void {
    this.#onFailure = onFailure;
  }

  /** Sets the watch for calls that do not return. */
  watchStallsWith(watch: StallWatch): void {
    this.#watch = watch;
  }

  /** Failures since the start. */
  get failures(): readonly FailureCount[] {
    return [...this.#failures.values()];
  }

  /** The redactor of an egress. */
  at(egress: Egress): Redactor {
    const known = this.#entrances.get(egress);
    if (known) return known;
    const made = this.#entrance(egress);
    this.#entrances.set(egress, made);
    return made;
  }

  /**
   * Runs work whose result leaves the hub; counts and rethrows failures of redaction. The first try is limited by
   * elapsed time, which is cheap to read and never less than processor time. The last try is limited by processor time,
   * so that a busy machine does not fail fast work.
   */
  guard<Result>(egress: Egress, work: () => Result, times: 1 | 2 = 2): Result {
    const before = this.#watch?.enter(egress);
    try {
      for (let left = times; left > 0; left--) {
        const now = left > 1 ? this.#nowMs : this.#processorMs;
        const began = now();
        const result = work();
        if (now() - began <= this.#limitMs) return result;
      }
      throw new RedactionFailure("BATON-REDACTION-105");
    } catch (error) {
      if (error instanceof RedactionFailure) this.#count(egress, error.code);
      throw error;
    } finally {
      if (before !== undefined) this.#watch?.leave(before);
    }
  }

  #entrance(egress: Egress): Redactor {
    const run = <Result>(work: (redactor: Redactor) => Result): Result =>
      this.guard(egress, () => asRedactionFailure(() => work(this.#redactor)));
    /** For streams, which must not take a chunk twice. */
    const once = <Result>(work: () => Result): Result =>
      this.guard(egress, () => asRedactionFailure(work), 1);
    return {
      redactText: (text, coverage) => run((redactor) => redactor.redactText(text, coverage)),
      redactValue: (value, root, least) => run((redactor) => redactor.redactValue(value, root, least)),
      redactMessage: (schema, message) => run((redactor) => redactor.redactMessage(schema, message)),
      locate: (root) => closedLocation(asRedactionFailure(() => this.#redactor.locate(root))),
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

  #count(egress: Egress, code: RedactionFailureCode): void {
    const key = `${egress} ${code}`;
    this.#failures.set(key, { egress, code, count: (this.#failures.get(key)?.count ?? 0) + 1 });
    this.#onFailure?.({ egress, code });
  }
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Every error of a redactor is a redaction failure; its text may quote secrets and is dropped. */
function asRedactionFailure<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof RedactionFailure ? error : new RedactionFailure("BATON-REDACTION-101");
  }
}

/** Callers guard the whole message, since it has many fields. */
function closedLocation(location: RedactionLocation): RedactionLocation {
  return {
    masked: location.masked,
    enter: (name, otherName) => closedLocation(asRedactionFailure(() => location.enter(name, otherName))),
    json: closedText(location.json),
    ...closedText(location),
  };
}

function closedText({ redact, copyPlain }: TextRedaction): TextRedaction {
  return { redact: (text) => asRedactionFailure(() => redact(text)), copyPlain };
}

export function defaultRedactor(): Redactor {
  const made = createRedactor({ personalData: "everywhere", limits: redactionLimits });
  if (!made.ok) throw new Error(`the default redaction policy is invalid:  ${made.problems[0]?.message}`);
  return made.redactor;
}
