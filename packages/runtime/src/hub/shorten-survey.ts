import type { WorkAtRisk } from "@baton/kernel";
import type { Filter } from "../filter/filter.ts";
import type { BranchChange, CommitInLine } from "../ports/outside.ts";

const longestSubject = 200;
const longestDetail = 2_000;

interface Seen {
  readonly branches: readonly BranchChange[];
  readonly atRisk: readonly WorkAtRisk[];
}

/** What agents wrote into commits, in short. Secrets go first: of one that is cut, the half that is left is not known. */
export function shortenSurvey({ branches, atRisk }: Seen, filter: Filter): Seen {
  const redactor = filter.at("answer");
  const shorten = (text: string, length: number) =>
    redactor.redactText(text).text.slice(0, length).toWellFormed();
  const commits = (several: readonly CommitInLine[]) =>
    several.map(({ commit, subject }) => ({ commit, subject: shorten(subject, longestSubject) }));
  return {
    branches: branches.map((branch) => ({
      ...branch,
      givenUp: commits(branch.givenUp),
      regained: commits(branch.regained),
    })),
    atRisk: atRisk.map((risk) => ({ ...risk, detail: shorten(risk.detail, longestDetail) })),
  };
}
