import { count, type Figures } from "../../figures.ts";
import type { Command } from "../../kernel.ts";
import { demand } from "../../violation.ts";
import { difference } from "../difference.ts";
import type { Fold, Memory, Step } from "./step.ts";

/** Where a branch began, and where it stands. */
export interface Branch {
  readonly start: string;
  readonly commit: string;
}

/** The branches of a pipeline, kept by the checks themselves. */
export interface Branches {
  /** As the records tell them, along the way that holds. */
  recorded: ReadonlyMap<string, Branch>;
  /** As a repository would have them: what records set and rewinds ordered, in the order in which it came. */
  readonly heads: Map<string, string>;
  /** By stage and attempt. */
  readonly names: Map<string, string>;
  rewinds: number;
}

export function noBranches(): Branches {
  return { recorded: new Map(), heads: new Map(), names: new Map(), rewinds: 0 };
}

/** Follows what is done to branches. A rewind, also one that follows upon another, tells those of its version. */
export function followBranches({ record }: Fold, { branches, past }: Memory, figures: Figures): void {
  const { recorded, names } = branches;
  const set = (name: string, branch: Branch) => {
    branches.recorded = new Map(recorded).set(name, branch);
    branches.heads.set(name, branch.commit);
  };
  if (record.type === "prepared") {
    const { branch, attempt, startCommit } = record.place;
    names.set(`${record.stage} ${attempt}`, branch);
    set(branch, { start: startCommit, commit: startCommit });
  }
  if (record.type === "kept" || record.type === "left") {
    const name = names.get(`${record.stage} ${record.attempt}`) ?? "";
    const start = recorded.get(name)?.start;
    demand(
      start !== undefined,
      "what was left was left on a branch that holds",
      () => `${record.type} ${name}`,
    );
    set(name, { start, commit: record.commit });
  }
  if (record.type !== "restored") return;
  branches.recorded = past[record.toVersion - 1]?.branches ?? new Map();
  branches.rewinds++;
  if (branches.rewinds > 1) count(figures.ends, "rewinds after a rewind");
}

/** After a rewind there are the branches of its version, with the work that was on them, and no others. */
export function checkBranches({ records, commands }: Step, { branches }: Memory): void {
  const { recorded, heads } = branches;
  for (const command of commands) if (command.type === "restore-branches") setBranches(heads, command);
  if (!records.some(({ type }) => type === "restored")) return;
  const isIdle = (name: string) => recorded.get(name)?.commit === recorded.get(name)?.start;
  const worked = [...recorded].filter(([name]) => !isIdle(name)).map(([name, { commit }]) => [name, commit]);
  // One on which nothing was done may be there or not.
  const left = [...heads].filter(([name]) => !recorded.has(name) || !isIdle(name));
  const found = difference(Object.fromEntries(left), Object.fromEntries(worked));
  demand(
    found === undefined,
    "a rewind leaves the branches of its version",
    () => `${found}: ${JSON.stringify(left)} instead of ${JSON.stringify(worked)}`,
  );
}

function setBranches(
  heads: Map<string, string>,
  { branches: { set, drop } }: Extract<Command, { type: "restore-branches" }>,
): void {
  for (const { branch, commit, create } of set) if (create || heads.has(branch)) heads.set(branch, commit);
  for (const branch of drop) heads.delete(branch);
}
