import type { Pipeline, WatchEventsRequestSchema, WatchEventsResponse } from "@baton/contract/forms";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Hub } from "../hub/connect-hub.ts";
import { quote } from "../hub/filter.ts";
import { describeMissingEvents, isTransient } from "../hub/transient-errors.ts";
import { openQuestions } from "../queries/list-escalations.ts";
import { hasEnded, isStopped, type RunState } from "../queries/run-state.ts";
import { sequenceOf } from "./follow-events.ts";
import { Poller } from "./poller.ts";
import { Reconnector } from "./reconnect.ts";

export interface Watcher {
  /** The current state; called again whenever it may have changed. */
  onState(onState: RunState): void;
  /** Each message once, in the order of the stream. */
  onMessage(message: WatchEventsResponse): Promise<void>;
  /** An outage of the hub begins, and ends. */
  onDisconnect(): void;
  onReconnect(): void;
}

export interface RunFollowOptions {
  readonly hub: Hub;
  readonly pipeline: Pipeline;
  readonly watcher: Watcher;
  readonly signal: AbortSignal;
  /** Ends also when the run waits for a person. */
  readonly untilItWaits: boolean;
}

/**
 * Follows all events of a run, past and new, until it has ended.
 *
 * F1. Every event is reported once, in order: a broken stream is resumed after the last reported event.
 * F2. It returns only after a stream that was opened when the end was known has reported `caughtUp`.
 */
export async function followPipeline({
  hub,
  pipeline,
  watcher,
  signal,
  untilItWaits,
}: RunFollowOptions): Promise<RunState> {
  let latest: RunState = { pipeline, questions: [] };
  let afterSequence = 0n;
  const isOver = () => hasEnded(latest.pipeline) || (untilItWaits && isStopped(latest));
  const update = async (until: AbortSignal) => {
    latest = await readState(hub, latest.pipeline, until);
    watcher.onState(latest);
  };
  const away = new Reconnector(watcher, "start it again, then go on with baton runs watch: nothing is lost");
  // A run that waits already ends the following at once, so its questions are read first.
  if (isOver()) await update(signal);
  while (true) {
    const wasOver = isOver();
    const enough = new AbortController();
    const until = AbortSignal.any([signal, enough.signal]);
    const poller = new Poller(
      async () => {
        await update(until);
        if (isOver()) enough.abort();
      },
      (error) => enough.abort(error),
    );
    try {
      if (!wasOver) poller.start();
      const filter = `pipeline_id = ${quote(latest.pipeline.pipelineId)}`;
      for await (const message of watch(hub, { afterSequence, filter }, until)) {
        away.connected();
        await watcher.onMessage(message);
        afterSequence = sequenceOf(message) ?? afterSequence;
        if (message.message.case === "caughtUp" && wasOver) return latest;
        if (changes(message)) poller.request();
      }
    } catch (error) {
      if (!enough.signal.aborted && !signal.aborted) {
        if (afterSequence > 0n && describeMissingEvents(error) !== undefined) afterSequence = 0n;
        else if (!isTransient(error)) throw error;
      }
    } finally {
      poller.stop();
    }
    signal.throwIfAborted();
    if (enough.signal.aborted && !isOver()) throw enough.signal.reason;
    if (!enough.signal.aborted) await away.wait(signal);
  }
}

/**
 * The run and its questions are two calls, between which the run may move. For a stopped run, which ends the following, both
 * have to be of one revision.
 */
async function readState(hub: Hub, known: Pipeline, signal: AbortSignal): Promise<RunState> {
  const { pipelineId } = known;
  const read = async () => (await hub.orchestrator.getPipeline({ pipelineId }, { signal })).pipeline ?? known;
  let pipeline = await read();
  while (true) {
    const questions = hasEnded(pipeline) ? [] : await openQuestions(hub, pipeline, signal);
    if (!isStopped({ pipeline, questions })) return { pipeline, questions };
    const { revision } = pipeline;
    pipeline = await read();
    if (pipeline.revision === revision) return { pipeline, questions };
  }
}

async function* watch(
  hub: Hub,
  request: MessageInitShape<typeof WatchEventsRequestSchema>,
  signal: AbortSignal,
): AsyncIterable<WatchEventsResponse> {
  yield* hub.orchestrator.watchEvents(request, { signal });
}

function changes({ message }: WatchEventsResponse): boolean {
  return (
    message.case === "caughtUp" ||
    (message.case === "record" && message.value.event?.payload.case === "taskTransition")
  );
}
