import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Told } from "./store.ts";

/** The attempts that agents wrote down when they began them. */
export function readRuns(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((file) =>
    readFileSync(join(folder, file), "utf8")
      .split("\n")
      .filter((line) => line !== ""),
  );
}

/**
 * An attempt may be begun more than once; but none that is not on record. And no agent here answers what it has not
 * begun: it has room for everything that it is sent, and time for it, whatever its clock says.
 */
export function checkRuns(
  { runs, figures, violations }: Pick<Told, "runs" | "figures" | "violations">,
  { dispatched, answered }: Readonly<Record<"dispatched" | "answered", ReadonlySet<string>>>,
): void {
  const distinct = new Set(runs);
  figures.runs += runs.length;
  figures.doubleRuns += runs.length - distinct.size;
  for (const dispatchId of distinct)
    violations.demand(dispatched.has(dispatchId), "nothing leaves before it is on record", () => dispatchId);
  for (const dispatchId of answered)
    violations.demand(distinct.has(dispatchId), "what is answered was begun", () => dispatchId);
}
