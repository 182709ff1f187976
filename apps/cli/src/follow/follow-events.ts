import type { WatchEventsResponse } from "@baton/contract/forms";
import type { Hub } from "../hub/connect-hub.ts";
import { describeMissingEvents, isTransient } from "../hub/transient-errors.ts";
import type { Watcher } from "./follow-pipeline.ts";
import { Reconnector } from "./reconnect.ts";

export interface EventFollowOptions {
  readonly hub: Hub;
  /** Follows the events after this one; undefined starts with the next event. */
  readonly afterSequence: bigint | undefined;
  readonly filter: string;
  readonly listener: Pick<Watcher, "onDisconnect" | "onReconnect"> & {
    /** Events after the last received one were removed by retention; `why` is the hub's message. */
    onGap(why: string): void;
  };
  readonly signal: AbortSignal;
}

/** The events of all runs of a tenant, each once and in order. A broken stream is resumed where it was. */
export async function* followEvents(options: EventFollowOptions): AsyncGenerator<WatchEventsResponse> {
  const { hub, filter, signal } = options;
  const away = new Reconnector(options.listener, "start it again, then watch on: nothing is lost");
  let { afterSequence } = options;
  // A hub that was never reached is an error, not an outage.
  let wasThere = false;
  while (true) {
    const request = { filter, ...(afterSequence === undefined ? {} : { afterSequence }) };
    try {
      for await (const message of hub.orchestrator.watchEvents(request, { signal })) {
        wasThere = true;
        away.connected();
        yield message;
        afterSequence = sequenceOf(message) ?? afterSequence;
      }
    } catch (error) {
      if (signal.aborted || !wasThere) throw error;
      const why = describeMissingEvents(error);
      if (why !== undefined) {
        options.listener.onGap(why);
        afterSequence = 0n;
        continue;
      }
      if (!isTransient(error)) throw error;
    }
    await away.wait(signal);
  }
}

export function describeGap(why: string): string {
  return `${why}; going on with it`;
}

/** The sequence to resume after. */
export function sequenceOf({ message }: WatchEventsResponse): bigint | undefined {
  if (message.case === "dropped") return message.value.resumeAfterSequence;
  return message.value?.sequence;
}
