import {
  encodeJson,
  GetPipelineResponseSchema,
  type Pipeline,
  PipelineStatus,
  type WatchEventsResponse,
  WatchEventsResponseSchema,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { exitCode } from "../exit-code.ts";
import { followPipeline, type Watcher } from "../hub/follow-pipeline.ts";
import { type Seen, waitsForPerson } from "../hub/standing.ts";
import { lookOfOutput, type Session } from "../session.ts";
import { EventLines } from "../views/event-line.ts";
import { LiveView } from "../views/live-view.ts";
import { renderPipeline } from "../views/pipeline-view.ts";

export interface Showing {
  readonly untilItWaits: boolean;
  /** Tells also thoughts, the start of tools and what a sandbox prints. */
  readonly detailed: boolean;
  /** Says nothing until the end. */
  readonly quietly: boolean;
  /** How the end is written as a document; what `baton pipeline show` gives when nothing is said. */
  readonly document?: (pipeline: Pipeline) => string;
}

/** Follows a pipeline in the way that fits where the output goes, and gives the exit code of its outcome. */
export async function showFollowing(session: Session, pipeline: Pipeline, how: Showing): Promise<number> {
  const { hub, signal } = session;
  const shown = chooseWatcher(session, pipeline, how);
  let seen: Seen;
  try {
    shown.start();
    const { untilItWaits } = how;
    seen = await followPipeline({ hub, pipeline, watcher: shown.watcher, signal, untilItWaits });
  } catch (error) {
    shown.stop();
    if (signal.aborted) session.tell(`the pipeline goes on: baton pipeline watch ${pipeline.pipelineId}`);
    throw error;
  }
  shown.stop();
  if (session.output === "text") {
    await session.write(renderPipeline(session.look, seen, Date.now()));
  } else {
    await session.writeJson((how.document ?? asDocument)(seen.pipeline));
  }
  return outcomeOf(session, seen);
}

interface Shown {
  readonly watcher: Watcher;
  start(): void;
  stop(): void;
}

function chooseWatcher(session: Session, pipeline: Pipeline, how: Showing): Shown {
  if (how.quietly || session.output === "json") return words(session, async () => {});
  if (session.output === "jsonl") {
    return words(session, (message) => session.writeJson(encodeJson(WatchEventsResponseSchema, message)));
  }
  const stages = pipeline.stages.map(({ stageId }) => stageId);
  const lines = new EventLines(session.look, { detailed: how.detailed, stages });
  if (session.look.isTerminal && !how.detailed) return live(pipeline, lines);
  return words(session, async ({ message }) => {
    const line = message.case === "record" ? lines.render(message.value) : undefined;
    if (line !== undefined) await session.write([line]);
  });
}

function words(session: Session, heard: (message: WatchEventsResponse) => Promise<void>): Shown {
  return {
    watcher: {
      seen: () => {},
      heard,
      away: () => session.tell("the hub is away; trying again"),
      back: () => session.tell("the hub is back"),
    },
    start: () => {},
    stop: () => {},
  };
}

function live(pipeline: Pipeline, lines: EventLines): Shown {
  const screen = {
    write: (text: string) => void process.stdout.write(text),
    look: lookOfOutput,
    onResize: (redraw: () => void) => void process.stdout.on("resize", redraw),
  };
  const view = new LiveView(screen, { pipeline, questions: [] });
  // However the process ends, the cursor comes back.
  process.once("exit", () => view.stop());
  return {
    watcher: {
      seen: (seen) => view.show(seen),
      heard: async ({ message }) => {
        const news = message.case === "record" ? lines.describe(message.value) : undefined;
        if (news !== undefined && message.case === "record") {
          view.tell(`${message.value.stageId || "pipeline"}  ${news.text}`);
        }
      },
      away: () => view.away(true),
      back: () => view.away(false),
    },
    start: () => view.start(),
    stop: () => view.stop(),
  };
}

function asDocument(pipeline: Pipeline): string {
  return encodeJson(GetPipelineResponseSchema, create(GetPipelineResponseSchema, { pipeline }));
}

function outcomeOf(session: Session, seen: Seen): number {
  if (seen.pipeline.status === PipelineStatus.COMPLETED) return exitCode.ok;
  if (!waitsForPerson(seen)) return exitCode.pipelineFailed;
  session.tell(`it waits for a person: baton pipeline show ${seen.pipeline.pipelineId}`);
  return exitCode.waitsForPerson;
}
