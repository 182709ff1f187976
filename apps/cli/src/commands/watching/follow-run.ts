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
import { exitCode } from "../../exit-code.ts";
import { followPipeline } from "../../follow/follow-pipeline.ts";
import { describeOutage } from "../../follow/reconnect.ts";
import { defaultInvocation } from "../../invocation.ts";
import { isStopped, type RunState } from "../../queries/run-state.ts";
import type { Session } from "../../session.ts";
import type { Extra } from "../../story/event-printer.ts";
import { renderPipeline } from "../../views/runs/run-view.ts";
import { printRunStory } from "./print-story.ts";
import { readRunDetails } from "./read-run-details.ts";

/** The options of commands that follow a run. */
export interface FollowOptions {
  readonly verbose?: boolean;
  readonly keepWaiting?: boolean;
}

export function addFollowOptions(command: Command): Command {
  return command
    .option("--verbose", "also print thoughts, starting tools and the output of sandboxes")
    .option("--keep-waiting", "continue while the run waits for a person, until it ends");
}

export interface Showing extends FollowOptions {
  /** Prints nothing until the end. */
  readonly quietly?: boolean;
  /** The final JSON document; by default that of `baton runs show`. */
  readonly document?: (pipeline: Pipeline) => string;
}

/** Follows a run in the form that fits the output, and returns the exit code of its outcome. */
export async function showFollowing(session: Session, pipeline: Pipeline, how: Showing): Promise<number> {
  const state = await follow(session, pipeline, how).catch((error: unknown) => {
    if (session.signal.aborted)
      session.printNote(`the run continues: baton runs watch ${pipeline.pipelineId}`);
    throw error;
  });
  if (session.output === "text") {
    const details = await readRunDetails(session, state);
    const apart = session.terminal.isTerminal && !how.quietly ? [""] : [];
    await session.write([...apart, ...renderPipeline(session, details, Date.now())]);
  } else {
    await session.writeJson((how.document ?? asDocument)(state.pipeline));
  }
  return outcomeOf(session, state);
}

function follow(session: Session, pipeline: Pipeline, how: Showing): Promise<RunState> {
  const untilItWaits = !how.keepWaiting;
  if (session.output === "text" && !how.quietly) {
    const extras: readonly Extra[] = how.verbose ? ["thoughts", "starts", "prints"] : [];
    return printRunStory(session, pipeline, { untilItWaits, extras });
  }
  const onMessage = async (message: WatchEventsResponse) => {
    if (session.output === "jsonl" && !how.quietly)
      await session.writeJson(encodeJson(WatchEventsResponseSchema, message));
  };
  const { hub, signal } = session;
  const watcher = {
    onState: () => {},
    onMessage,
    onDisconnect: () => session.printNote(describeOutage(session.hub)),
    onReconnect: () => session.printNote("the hub is back"),
  };
  return followPipeline({ hub, pipeline, watcher, signal, untilItWaits });
}

function asDocument(pipeline: Pipeline): string {
  return encodeJson(GetPipelineResponseSchema, create(GetPipelineResponseSchema, { pipeline }));
}

function outcomeOf(session: Session, state: RunState): number {
  const { status, pipelineId } = state.pipeline;
  if (status === PipelineStatus.COMPLETED) return exitCode.ok;
  if (!isStopped(state)) return exitCode.pipelineFailed;
  const who = state.questions.length > 0 ? "the run waits for an answer" : "the run is paused";
  const how =
    session.output === "text"
      ? "see the commands above"
      : `see ${defaultInvocation()} runs show ${pipelineId}`;
  session.printNote(`${who}: ${how}`);
  return exitCode.waitsForPerson;
}
