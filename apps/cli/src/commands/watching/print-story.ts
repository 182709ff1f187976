import type { Pipeline } from "@baton/contract/forms";
import { describeOutage } from "../../follow/reconnect.ts";
import { outputTerminal } from "../../output.ts";
import type { RunState } from "../../queries/run-state.ts";
import type { Session } from "../../session.ts";
import { Activities } from "../../story/activities.ts";
import type { Extra } from "../../story/event-printer.ts";
import { renderPlainLine, stageWidth } from "../../story/plain-line.ts";
import { renderStoryLine, StageHeadings, type TimedLine } from "../../story/story-line.ts";
import { printStory } from "../../story/story-printer.ts";
import { type LiveRun, renderLive } from "../../views/live/live-run.ts";
import { startLiveArea } from "./start-live-area.ts";

interface StoryCommandOptions {
  readonly untilItWaits: boolean;
  readonly extras: readonly Extra[];
}

const noRecord = "the key may not read the audit record (role audit): only states and tools are printed";

/** Prints what happens to a run: on a terminal as a story above a live view, in a pipe one line per event. */
export function printRunStory(
  session: Session,
  pipeline: Pipeline,
  how: StoryCommandOptions,
): Promise<RunState> {
  return session.terminal.canRedraw ? printLive(session, pipeline, how) : printLines(session, pipeline, how);
}

function printLines(session: Session, pipeline: Pipeline, how: StoryCommandOptions): Promise<RunState> {
  const { hub, signal, terminal } = session;
  const width = stageWidth(pipeline.stages.map(({ stageId }) => stageId));
  return printStory({
    ...{ hub, pipeline, signal, untilItWaits: how.untilItWaits },
    extras: ["moves", ...how.extras],
    print: async (entry) => {
      const line = renderPlainLine(terminal, entry, width);
      if (line !== undefined) await session.write([line]);
    },
    watcher: {
      onDisconnect: () => session.printNote(describeOutage(session.hub)),
      onReconnect: () => session.printNote("the hub is back"),
    },
  });
}

async function printLive(session: Session, pipeline: Pipeline, how: StoryCommandOptions): Promise<RunState> {
  const { hub, signal } = session;
  const activities = new Activities();
  const state: { -readonly [Field in keyof LiveRun]: LiveRun[Field] } = {
    ...{ runState: { pipeline, questions: [] }, activities, isAway: false },
  };
  const view = startLiveArea((terminal, nowMs) => renderLive(terminal, state, nowMs));
  const change = (news: Partial<LiveRun>) => {
    Object.assign(state, news);
    view.draw();
  };
  const headings = new StageHeadings();
  try {
    return await printStory({
      ...{ hub, pipeline, signal, ...how },
      print: async (entry: TimedLine) => {
        view.printAbove(
          headings.withHeading(entry).flatMap((storyLine) => renderStoryLine(outputTerminal(), storyLine)),
        );
      },
      watcher: {
        onState: (runState) => change({ runState }),
        onDisconnect: () => change({ isAway: true }),
        onReconnect: () => change({ isAway: false }),
      },
      onEvent: (event) => activities.onEvent(event),
      onEntry: (entry) => activities.onEntry(entry),
      onNoRecord: () => view.printAbove(["", noRecord]),
    });
  } finally {
    view.stop();
  }
}
