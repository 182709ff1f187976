import type { WatchEventsResponse } from "@baton/contract/forms";
import { Absence } from "./absence.ts";
import type { Hub } from "./connect-hub.ts";
import type { Watcher } from "./follow-pipeline.ts";
import { isPassing, whyGone } from "./passing.ts";

export interface Watching {
  readonly hub: Hub;
  /** Everything after this one; undefined begins with what happens next. */
  readonly afterSequence: bigint | undefined;
  readonly filter: string;
  readonly absence: Pick<Watcher, "away" | "back"> & {
    /** What came after the last event we saw was removed meanwhile; `why` are the words of the hub. */
    gone(why: string): void;
  };
  readonly signal: AbortSignal;
}

/** What happens to all pipelines of a tenant, each event once and in order: a broken stream goes on where it was. */
export async function* followEvents(watching: Watching): AsyncGenerator<WatchEventsResponse> {
  const { hub, filter, signal } = watching;
  const away = new Absence(watching.absence, "start it again, then watch on: nothing is lost");
  let { afterSequence } = watching;
  // A hub that was never there will not come back.
  let wasThere = false;
  while (true) {
    const request = { filter, ...(afterSequence === undefined ? {} : { afterSequence }) };
    try {
      for await (const message of hub.orchestrator.watchEvents(request, { signal })) {
        wasThere = true;
        away.over();
        yield message;
        afterSequence = sequenceOf(message) ?? afterSequence;
      }
    } catch (error) {
      if (signal.aborted || !wasThere) throw error;
      const why = whyGone(error);
      if (why !== undefined) {
        watching.absence.gone(why);
        afterSequence = 0n;
        continue;
      }
      if (!isPassing(error)) throw error;
    }
    await away.wait(signal);
  }
}

export function goingOn(why: string): string {
  return `${why}; going on with it`;
}

/** Where to go on after this. */
export function sequenceOf({ message }: WatchEventsResponse): bigint | undefined {
  if (message.case === "dropped") return message.value.resumeAfterSequence;
  return message.value?.sequence;
}
