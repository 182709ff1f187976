import type { TaskEnvelope } from "@baton/contract";
import { count } from "../figures.ts";
import { inspect, type Sim } from "../sim.ts";
import { invariant } from "../violation.ts";

/** What became of a step of some work, by attempt number. */
interface SeenStep {
  readonly ran: number[];
  storedIn: number | undefined;
}

/** Judges durable steps by what agents run: work that continues has one idempotency key. */
export class StepObserver {
  readonly #sim: Sim;
  readonly #works = new Map<string, Map<string, SeenStep>>();

  constructor(sim: Sim) {
    this.#sim = sim;
  }

  /** The value that a step has, whichever attempt runs it. */
  valueOf({ execution }: TaskEnvelope, name: string): string {
    return JSON.stringify(`${name} of ${execution?.idempotencyKey}`);
  }

  ran(envelope: TaskEnvelope, name: string, mayRepeat: boolean): void {
    const { dispatchId = "", attemptNumber = 0 } = envelope.execution ?? {};
    const seen = this.#step(envelope, name);
    inspect(this.#sim, () => {
      invariant(
        seen.storedIn === undefined || seen.storedIn >= attemptNumber,
        "a finished step is not run again",
        () => `"${name}" is run by ${dispatchId} and was stored by attempt ${seen.storedIn}`,
      );
      invariant(
        mayRepeat || !seen.ran.some((number) => number < attemptNumber),
        "a step that is not idempotent is not repeated",
        () => `"${name}" is run by ${dispatchId} and was run by attempt ${seen.ran.join(", ")}`,
      );
    });
    count(this.#sim.figures.ends, "steps that agents ran");
    seen.ran.push(attemptNumber);
  }

  /** The hub has acknowledged it. */
  stored(envelope: TaskEnvelope, name: string): void {
    this.#step(envelope, name).storedIn ??= envelope.execution?.attemptNumber ?? 0;
  }

  /** An agent uses the value of an earlier attempt. */
  used(envelope: TaskEnvelope, name: string, valueJson: string): void {
    count(this.#sim.figures.ends, "steps that were used again");
    inspect(this.#sim, () =>
      invariant(
        valueJson === this.valueOf(envelope, name) || this.#step(envelope, name).ran.length === 0,
        "a step has the value that it was stored with",
        () => `"${name}" of ${envelope.execution?.dispatchId} is ${valueJson}`,
      ),
    );
  }

  /** An answer that may be refused: the next attempt does not continue with these steps. */
  mayBeDropped({ execution }: TaskEnvelope): void {
    this.#works.delete(execution?.idempotencyKey ?? "");
  }

  #step({ execution }: TaskEnvelope, name: string): SeenStep {
    const key = execution?.idempotencyKey ?? "";
    const steps = this.#works.get(key) ?? new Map<string, SeenStep>();
    this.#works.set(key, steps);
    const seen = steps.get(name) ?? { ran: [], storedIn: undefined };
    steps.set(name, seen);
    return seen;
  }
}
