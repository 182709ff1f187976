import type { Command } from "commander";
import { findPipeline } from "../../hub/find-pipeline.ts";
import { withHub } from "../../session.ts";
import { withExamples } from "../examples.ts";
import { showFollowing } from "../show-following.ts";

export function addWatch(pipeline: Command): void {
  const watch = pipeline
    .command("watch")
    .summary("watch a pipeline until it ends")
    .description(
      "Tells what happened to a pipeline and what happens to it, until it has ended. The exit code tells how.",
    )
    .argument("<id>", "the pipeline, or the beginning of its id")
    .option("--verbose", "tell also thoughts, tools as they start, and what sandboxes print")
    .action((id: string, { verbose = false }: { readonly verbose?: boolean }, command: Command) =>
      withHub(command, async (session) => {
        const found = await findPipeline(session.hub, id, session.signal);
        return showFollowing(session, found, { untilItWaits: false, detailed: verbose, quietly: false });
      }),
    );
  withExamples(watch, [
    ["baton pipeline watch 0197c5e2", "a live view on a terminal, plain lines in a pipe"],
    ["baton pipeline watch 0197c5e2 --output jsonl", "every event as one JSON object, then the pipeline"],
  ]);
}
