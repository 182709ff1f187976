import type { Command } from "commander";
import { findPipeline } from "../../queries/find-pipeline.ts";
import { withHub } from "../../session.ts";
import { withExamples } from "../options/examples.ts";
import { addFollowOptions, type FollowOptions, showFollowing } from "../watching/follow-run.ts";

export function addWatch(pipeline: Command): void {
  const watch = pipeline
    .command("watch")
    .summary("watch a run until it ends or waits")
    .description(
      "Prints past and new events of a run, until it ends or waits for a person. " +
        "The exit code depends on the outcome.",
    )
    .argument("<id>", "the run; the beginning of its id is enough");
  addFollowOptions(watch).action((id: string, options: FollowOptions, command: Command) =>
    withHub(command, async (session) =>
      showFollowing(session, await findPipeline(session.hub, id, session.signal), options),
    ),
  );
  withExamples(watch, [
    ["baton runs watch p-3s43k65n", "a story on a terminal, one line per event in a pipe"],
    ["baton runs watch p-3s43k65n --keep-waiting", "continues while a person is asked"],
    ["baton runs watch p-3s43k65n --output jsonl", "every event as one JSON object, then the run"],
  ]);
}
