import {
  encodeJson,
  GetPipelineResponseSchema,
  type Pipeline,
  PipelineStatus,
  type WatchEventsResponse,
  WatchEventsResponseSchema,
} from "@baton/contract/forms";
import { create } from "@bufbuild/protobuf";
import type { Command } from "commander";
import { exitCode } from "../exit-code.ts";
import { describeAbsence } from "../hub/absence.ts";
import { followPipeline } from "../hub/follow-pipeline.ts";
import { isStopped, type Seen } from "../hub/standing.ts";
import type { Extra } from "../narration/tell-event.ts";
import type { Session } from "../session.ts";
import { renderPipeline } from "../views/pipeline-view.ts";
import { narrate } from "./narrate.ts";
import { readShown } from "./read-shown.ts";

/** The options of whoever follows a pipeline. */
export interface FollowOptions {
  readonly verbose?: boolean;
  readonly keepWaiting?: boolean;
}

export function addFollowOptions(command: Command): Command {
  return command
    .option("--verbose", "tell also thoughts, tools as they start, and what sandboxes print")
    .option("--keep-waiting", "stay also while it waits for a person, until it has ended");
}

export interface Showing extends FollowOptions {
  /** Says nothing until the end. */
  readonly quietly?: boolean;
  /** How the end is written as a document; what `baton runs show` gives when nothing is said. */
  readonly document?: (pipeline: Pipeline) => string;
}

/** Follows a pipeline in the way that fits where the output goes, and gives the exit code of its outcome. */
export async function showFollowing(session: Session, pipeline: Pipeline, how: Showing): Promise<number> {
  const seen = await follow(session, pipeline, how).catch((error: unknown) => {
    if (session.signal.aborted) session.tell(`the run goes on: baton runs watch ${pipeline.pipelineId}`);
    throw error;
  });
  if (session.output === "text") {
    const shown = await readShown(session, seen);
    const apart = session.look.isTerminal && !how.quietly ? [""] : [];
    await session.write([...apart, ...renderPipeline(session, shown, Date.now())]);
  } else {
    await session.writeJson((how.document ?? asDocument)(seen.pipeline));
  }
  return outcomeOf(session, seen);
}

function follow(session: Session, pipeline: Pipeline, how: Showing): Promise<Seen> {
  const untilItWaits = !how.keepWaiting;
  if (session.output === "text" && !how.quietly) {
    const extras: readonly Extra[] = how.verbose ? ["thoughts", "starts", "prints"] : [];
    return narrate(session, pipeline, { untilItWaits, extras });
  }
  const heard = async (message: WatchEventsResponse) => {
    if (session.output === "jsonl" && !how.quietly)
      await session.writeJson(encodeJson(WatchEventsResponseSchema, message));
  };
  const { hub, signal } = session;
  const watcher = {
    seen: () => {},
    heard,
    away: () => session.tell(describeAbsence(session.hub)),
    back: () => session.tell("the hub is back"),
  };
  return followPipeline({ hub, pipeline, watcher, signal, untilItWaits });
}

function asDocument(pipeline: Pipeline): string {
  return encodeJson(GetPipelineResponseSchema, create(GetPipelineResponseSchema, { pipeline }));
}

function outcomeOf(session: Session, seen: Seen): number {
  const { status, pipelineId } = seen.pipeline;
  if (status === PipelineStatus.COMPLETED) return exitCode.ok;
  if (!isStopped(seen)) return exitCode.pipelineFailed;
  const who =
    seen.questions.length > 0 ? "it waits for a person to answer" : "it waits for a person to resume it";
  const how = session.output === "text" ? "the way is told above" : `baton runs show ${pipelineId} tells how`;
  session.tell(`${who}: ${how}`);
  return exitCode.waitsForPerson;
}
