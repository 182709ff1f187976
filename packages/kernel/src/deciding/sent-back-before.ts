import type { Pipeline, Stage } from "@baton/contract/messages";
import { shortCommit } from "./change-commands.ts";
import { shellQuote } from "./kept-work.ts";
import { stagesUnderReview } from "./under-review.ts";

/** The stages whose work is under review, with the attempt that they are at. */
export function attemptsUnderReview(pipeline: Pipeline, stageId: string): readonly Stage[] {
  const under = stagesUnderReview(pipeline, stageId);
  return pipeline.stages.filter((stage) => under.includes(stage.stageId) && stage.dispatchId !== "");
}

/** The shell command for the changes since a rejected attempt; empty when attempts share a folder. */
export function diffSinceCommand({ workspace, commit }: Stage, rejectedAttempt: number): string {
  const { repository = "", branch = "" } = workspace ?? {};
  if (!branch.startsWith("baton/")) return "";
  const before = branch.slice(0, branch.lastIndexOf("/") + 1) + rejectedAttempt;
  return `git -C ${shellQuote(repository)} diff ${before} ${commit === "" ? branch : shortCommit(commit)}`;
}
