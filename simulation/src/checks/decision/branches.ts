import { count, type Figures } from "../../figures.ts";
import type { Command } from "../../kernel.ts";
import { invariant } from "../../violation.ts";
import { difference } from "../difference.ts";
import type { Fold, Model, Step } from "./step.ts";

/** Start and head of a branch. */
export interface Branch {
  readonly start: string;
  readonly commit: string;
}

/** The branches of a pipeline, tracked independently of the kernel. */
export interface Branches {
  /** From the records of the current history. */
  recorded: ReadonlyMap<string, Branch>;
  /** As in a repository: what records set and rewinds commanded, in order of arrival. */
  readonly heads: Map<string, string>;
  /** By stage and attempt. */
  readonly names: Map<string, string>;
  rewinds: number;
}

export function noBranches(): Branches {
  return { recorded: new Map(), heads: new Map(), names: new Map(), rewinds: 0 };
}

/** Tracks changes of branches. A rewind, also one after another, restores those of its version. */
export function followBranches({ record }: Fold, { branches, past }: Model, figures: Figures): void {
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
    invariant(start !== undefined, "work is left on a known branch", () => `${record.type} ${name}`);
    set(name, { start, commit: record.commit });
  }
  if (record.type !== "restored") return;
  branches.recorded = past[record.toVersion - 1]?.branches ?? new Map();
  branches.rewinds++;
  if (branches.rewinds > 1) count(figures.ends, "rewinds after a rewind");
}

/** After a rewind exactly the branches of its version exist, with their work. */
export function checkBranches({ records, commands }: Step, { branches }: Model): void {
  const { recorded, heads } = branches;
  for (const command of commands) if (command.type === "restore-branches") setBranches(heads, command);
  if (!records.some(({ type }) => type === "restored")) return;
  const isIdle = (name: string) => recorded.get(name)?.commit === recorded.get(name)?.start;
  const worked = [...recorded].filter(([name]) => !isIdle(name)).map(([name, { commit }]) => [name, commit]);
  // Branches without work may or may not exist.
  const left = [...heads].filter(([name]) => !recorded.has(name) || !isIdle(name));
  const found = difference(Object.fromEntries(left), Object.fromEntries(worked));
  invariant(
    found === undefined,
    "a rewind restores the branches of its version",
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
