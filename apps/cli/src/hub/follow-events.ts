import type { WatchEventsResponse } from "@baton/contract";
import { Absence } from "./absence.ts";
import type { Hub } from "./connect-hub.ts";
import type { Watcher } from "./follow-pipeline.ts";
import { isPassing } from "./passing.ts";

export interface Watching {
  readonly hub: Hub;
  /** Everything after this one; undefined begins with what happens next. */
  readonly afterSequence: bigint | undefined;
  readonly filter: string;
  readonly absence: Pick<Watcher, "away" | "back">;
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
      if (signal.aborted || !wasThere || !isPassing(error)) throw error;
    }
    await away.wait(signal);
  }
}

/** Where to go on after this. */
export function sequenceOf({ message }: WatchEventsResponse): bigint | undefined {
  if (message.case === "dropped") return message.value.resumeAfterSequence;
  return message.value?.sequence;
}
