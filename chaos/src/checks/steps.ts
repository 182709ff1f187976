import type { Observed } from "./store.ts";

/** What an agent logged of a durable step. */
export interface SeenStep {
  /** The idempotency key of the attempt: the same for all attempts at the same work. */
  readonly work: string;
  readonly name: string;
  readonly idempotent: boolean;
  readonly attempt: number;
  /** It began to run, or the hub has acknowledged its value. */
  readonly what: "ran" | "stored";
}

/** Begins the lines about steps in the log of an agent. */
export const stepMark = "step ";

/** No step that a later attempt could know as stored is run again, and none that is not idempotent is run twice (PIP-11). */
export function checkSteps({
  steps,
  figures,
  violations,
}: Pick<Observed, "steps" | "figures" | "violations">): void {
  const works = Map.groupBy(steps, ({ work, name }) => `${work}: ${name}`);
  for (const [step, seen] of works) {
    const ran = seen.filter(({ what }) => what === "ran");
    const storedIn = Math.min(...seen.flatMap(({ what, attempt }) => (what === "stored" ? attempt : [])));
    figures.stepRuns += ran.length;
    figures.stepsUsedAgain += seen.length - ran.length - 1 > 0 ? seen.length - ran.length - 1 : 0;
    violations.check(
      ran.every(({ attempt }) => attempt <= storedIn),
      "a finished step is not run again",
      () =>
        `${step} was stored by attempt ${storedIn} and run by ${ran.map(({ attempt }) => attempt).join(", ")}`,
    );
    violations.check(
      ran.length <= 1 || seen.every(({ idempotent }) => idempotent),
      "a step that is not idempotent is not repeated",
      () => `${step} was run ${ran.length} times`,
    );
  }
}
