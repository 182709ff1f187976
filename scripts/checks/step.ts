/** One step of `npm run check`, and how the steps are run and reported. */

export type Outcome =
  | { readonly status: "passed"; readonly note?: string }
  | { readonly status: "failed"; readonly output: string }
  | { readonly status: "skipped"; readonly reason: string };

export interface Step {
  readonly name: string;
  run(): Promise<Outcome>;
}

export interface StepReport {
  readonly name: string;
  readonly outcome: Outcome;
  readonly tookMs: number;
}

export const passed: Outcome = { status: "passed" };

export function passedWith(note: string): Outcome {
  return { status: "passed", note };
}

export function failed(output: string): Outcome {
  return { status: "failed", output };
}

export function skipped(reason: string): Outcome {
  return { status: "skipped", reason };
}

/** Runs all steps in parallel, each to its end, and reports them in the given order. */
export async function runSteps(steps: readonly Step[]): Promise<StepReport[]> {
  const reports: StepReport[] = [];
  const width = Math.max(...steps.map((step) => step.name.length));
  for (const pending of steps.map(timeStep)) {
    const report = await pending;
    reports.push(report);
    console.log(describeStep(report, width));
  }
  return reports;
}

async function timeStep(step: Step): Promise<StepReport> {
  const start = performance.now();
  const outcome = await step.run().catch((error: unknown) => failed(explain(error)));
  return { name: step.name, outcome, tookMs: performance.now() - start };
}

function describeStep({ name, outcome, tookMs }: StepReport, width: number): string {
  const line = `${outcome.status.padEnd(7)}  ${name.padEnd(width)}  ${(tookMs / 1000).toFixed(1).padStart(5)} s`;
  switch (outcome.status) {
    case "passed":
      return outcome.note === undefined ? line : `${line}  ${outcome.note}`;
    case "skipped":
      return `${line}  ${outcome.reason}`;
    case "failed":
      return `${line}\n${indent(outcome.output)}\n`;
  }
}

/** An error with a message for people is printed as its message; anything else is a bug and comes with its stack. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.constructor === Error ? error.message : (error.stack ?? error.message);
}

function indent(text: string): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? "" : `    ${line}`))
    .join("\n");
}
