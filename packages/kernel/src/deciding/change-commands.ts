import type { GetPipelineChangesResponse } from "@baton/contract/messages";
import { fileWord } from "./file-words.ts";
import { shellQuote } from "./kept-work.ts";

/** Shell commands to see and to merge a change. */
interface ChangeCommands {
  readonly look: readonly string[];
  /** Empty for a shared folder, which already contains the work. */
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
  // Git compares only tracked files.
  const hasNew = files.some((file) => fileWord(file) === "new");
  const others = hasNew ? [`${git} ls-files --others --exclude-standard`] : [];
  return { look: [`${git} diff ${shortCommit(baseCommit)}`, ...others], merge: [] };
}

/** Enough of a commit id to distinguish it. */
export function shortCommit(commit: string): string {
  return commit.slice(0, 12);
}
