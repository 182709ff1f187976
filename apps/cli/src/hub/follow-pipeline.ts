import type { Pipeline, WatchEventsRequestSchema, WatchEventsResponse } from "@baton/contract/forms";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { Absence } from "./absence.ts";
import type { Hub } from "./connect-hub.ts";
import { quote } from "./filter.ts";
import { sequenceOf } from "./follow-events.ts";
import { Glances } from "./glances.ts";
import { openQuestions } from "./list-escalations.ts";
import { isPassing, whyGone } from "./passing.ts";
import { hasEnded, isStopped, type Seen } from "./standing.ts";

export interface Watcher {
  /** The pipeline as it is now; called again whenever it may have changed. */
  seen(seen: Seen): void;
  /** In the order of the stream, each once. */
  heard(message: WatchEventsResponse): Promise<void>;
  /** The hub does not answer, and then does again. */
  away(): void;
  back(): void;
}

export interface Following {
  readonly hub: Hub;
  readonly pipeline: Pipeline;
  readonly watcher: Watcher;
  readonly signal: AbortSignal;
  /** Ends also when the pipeline waits for a person. */
  readonly untilItWaits: boolean;
}

/**
 * Tells everything that happened to a pipeline and happens to it, until it has ended.
 *
 * F1. Every event is told once, in order: a broken stream goes on after the last one that was told.
 * F2. It returns only after a stream that was opened when the end was known has said that it has sent everything.
 */
export async function followPipeline({
  hub,
  pipeline,
  watcher,
  signal,
  untilItWaits,
}: Following): Promise<Seen> {
  let latest: Seen = { pipeline, questions: [] };
  let afterSequence = 0n;
  const isOver = () => hasEnded(latest.pipeline) || (untilItWaits && isStopped(latest));
  const look = async (until: AbortSignal) => {
    latest = await lookAt(hub, latest.pipeline, until);
    watcher.seen(latest);
  };
  const away = new Absence(watcher, "start it again, then go on with baton runs watch: nothing is lost");
  // One that waits already is over at once: what it asks has to be known by then.
  if (isOver()) await look(signal);
  while (true) {
    const wasOver = isOver();
    const enough = new AbortController();
    const until = AbortSignal.any([signal, enough.signal]);
    const glances = new Glances(
      async () => {
        await look(until);
        if (isOver()) enough.abort();
      },
      (error) => enough.abort(error),
    );
    try {
      if (!wasOver) glances.start();
      const filter = `pipeline_id = ${quote(latest.pipeline.pipelineId)}`;
      for await (const message of watch(hub, { afterSequence, filter }, until)) {
        away.over();
        await watcher.heard(message);
        afterSequence = sequenceOf(message) ?? afterSequence;
        if (message.message.case === "caughtUp" && wasOver) return latest;
        if (changes(message)) glances.soon();
      }
    } catch (error) {
      if (!enough.signal.aborted && !signal.aborted) {
        if (afterSequence > 0n && whyGone(error) !== undefined) afterSequence = 0n;
        else if (!isPassing(error)) throw error;
      }
    } finally {
      glances.stop();
    }
    signal.throwIfAborted();
    if (enough.signal.aborted && !isOver()) throw enough.signal.reason;
    if (!enough.signal.aborted) await away.wait(signal);
  }
}

/**
 * The pipeline and what it asks are two calls, between which it may move: a question would be seen with the pipeline as
 * it was before it was asked. Where it waits, which ends the following, both are of one moment.
 */
async function lookAt(hub: Hub, known: Pipeline, signal: AbortSignal): Promise<Seen> {
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
