import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type SeenStep, stepMark } from "./steps.ts";
import type { Observed } from "./store.ts";

/** The attempts that agents logged when they began them. */
export function readRuns(folder: string): readonly string[] {
  return readLines(folder).filter((line) => !line.startsWith(stepMark));
}

/** The durable steps that agents logged. */
export function readSteps(folder: string): readonly SeenStep[] {
  return readLines(folder)
    .filter((line) => line.startsWith(stepMark))
    .map((line) => JSON.parse(line.slice(stepMark.length)) as SeenStep);
}

/** The last line of a killed agent is whole: it is appended at once. */
function readLines(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((file) =>
    readFileSync(join(folder, file), "utf8")
      .split("\n")
      .filter((line) => line !== ""),
  );
}

/**
 * An attempt may be begun more than once, but only after it is stored. No agent answers an attempt that it has not begun:
 * each has room and time for all of them, whatever its clock says.
 */
export function checkRuns(
  { runs, figures, violations }: Pick<Observed, "runs" | "figures" | "violations">,
  { dispatched, answered }: Readonly<Record<"dispatched" | "answered", ReadonlySet<string>>>,
): void {
  const distinct = new Set(runs);
  figures.runs += runs.length;
  figures.doubleRuns += runs.length - distinct.size;
  for (const dispatchId of distinct)
    violations.check(dispatched.has(dispatchId), "nothing leaves before it is stored", () => dispatchId);
  for (const dispatchId of answered)
    violations.check(distinct.has(dispatchId), "every answered attempt was begun", () => dispatchId);
}
