import type { GetPipelineChangesResponse } from "@baton/contract/messages";
import { fileWord } from "./file-words.ts";
import { shellQuote } from "./kept-work.ts";

/** What a person types in a shell to see a whole change, and to take it over. */
export interface ChangeCommands {
  readonly look: readonly string[];
  /** Nothing for a folder that all attempts share: the work lies there already. */
  readonly merge: readonly string[];
}

export function changeCommands(change: GetPipelineChangesResponse | undefined): ChangeCommands {
  if (change?.reason !== "" || change.files.length === 0) return { look: [], merge: [] };
  const { repository, baseCommit, commit, files } = change;
  const git = `git -C ${shellQuote(repository)}`;
  if (commit !== "") {
    const range = `${shortCommit(baseCommit)}..${shortCommit(commit)}`;
    return { look: [`${git} diff ${range}`], merge: [`${git} merge ${shortCommit(commit)}`] };
  }
  // Git compares only files that it knows.
  const hasNew = files.some((file) => fileWord(file) === "new");
  const others = hasNew ? [`${git} ls-files --others --exclude-standard`] : [];
  return { look: [`${git} diff ${shortCommit(baseCommit)}`, ...others], merge: [] };
}

/** Enough of a commit id to distinguish it. */
export function shortCommit(commit: string): string {
  return commit.slice(0, 12);
}
