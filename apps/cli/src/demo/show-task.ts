import type { Pipeline } from "@baton/contract/forms";
import { CliError } from "../errors/cli-error.ts";
import type { Hub } from "../hub/connect-hub.ts";
import type { RunState } from "../queries/run-state.ts";
import { eventLine, heading, StageHeadings, type TimedLine } from "../story/story-line.ts";
import { printStory } from "../story/story-printer.ts";
import { buildRequest } from "../task/build-request.ts";
import type { DemoPrinter } from "./demo-printer.ts";

export interface Setting {
  readonly printer: DemoPrinter;
  readonly signal: AbortSignal;
}

/** A task of an example. */
export interface DemoTask {
  readonly file: string;
  readonly title: string;
  /** Where the work happens, if it needs a repository. */
  readonly repository?: string;
}

/** A task that is followed until it ends or waits. */
export interface FollowedTask {
  readonly seen: RunState;
  /** Follows it from there until it has ended. */
  followToEnd(): Promise<RunState>;
}

/** Submits a task of the example, and prints its story until it ends or waits for a person. */
export async function showTask(
  hub: Hub,
  { printer, signal }: Setting,
  { file, title, repository }: DemoTask,
): Promise<FollowedTask> {
  const request = buildRequest(undefined, { file, ...(repository !== undefined && { repository }) });
  const { pipeline } = await hub.orchestrator.submitTask(request, { signal });
  if (pipeline === undefined) {
    throw new CliError("BATON-CLI-008", "the hub accepted the task but returned no run", {
      fix: "see its log",
    });
  }
  printer.printLine(heading(title, request.contract?.title));
  const criteria = request.contract?.acceptanceCriteria ?? [];
  printer.printLine(
    eventLine(
      "wanted",
      criteria.map((text) => ({ text })),
    ),
  );
  printer.printLine(eventLine("stages", pipeline.stages.map(({ stageId }) => stageId).join(", ")));
  const headings = new StageHeadings();
  let printed = 0;
  /** Skips what is printed already, because the story starts from its beginning. */
  const follow = async (from: Pipeline, untilItWaits: boolean): Promise<RunState> => {
    let at = 0;
    const printNew = async (line: TimedLine) => {
      at += 1;
      if (at <= printed) return;
      for (const storyLine of headings.withHeading(line)) await printer.printPaced(storyLine);
      printed = at;
    };
    return printStory({ hub, pipeline: from, signal, untilItWaits, extras: ["thoughts"], print: printNew });
  };
  const seen = await follow(pipeline, true);
  return { seen, followToEnd: () => follow(seen.pipeline, false) };
}
