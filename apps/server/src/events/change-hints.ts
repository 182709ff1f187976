import type { ChangeHint } from "@baton/runtime";
import type { EventAnswer } from "./event-answer.ts";
import { frame } from "./event-frames.ts";

/** What happens within this time is told at once: a page reads a thing again that often at the most. */
const gatherMs = 200;

/** Of more pipelines than these it is said that there are many. */
const mostPipelines = 100;

/**
 * Writes what has changed into a stream of events, for a page that reads it again (TUR-04). Only once the stream has begun:
 * whoever watches reads everything then. A client that does not read is told together, when it does.
 */
export function publishChangeHints(
  answer: EventAnswer,
  listen: (listener: (changeHint: ChangeHint) => void) => () => void,
  signal: AbortSignal,
): void {
  let pending: { pipelines: Set<string>; inbox: boolean; fleet: boolean; tenant?: true } | undefined;
  let timer: NodeJS.Timeout | undefined;
  const tell = () => {
    timer = undefined;
    if (pending === undefined || signal.aborted || answer.hasEnded) return;
    if (!answer.hasBegun || answer.isBehind) return wait();
    const { pipelines, inbox, fleet, tenant } = pending;
    const isMany = pipelines.size > mostPipelines;
    const changeHint = {
      pipelines: isMany ? [] : [...pipelines],
      many: isMany,
      inbox,
      fleet,
      ...(tenant && { tenant }),
    };
    pending = undefined;
    answer.write(frame("stir", JSON.stringify(changeHint)));
  };
  const wait = () => {
    timer ??= setTimeout(tell, gatherMs).unref();
  };
  const stop = listen(({ pipelines, inbox, fleet, tenant }) => {
    pending ??= { pipelines: new Set(), inbox: false, fleet: false };
    if (pending.pipelines.size <= mostPipelines) for (const id of pipelines) pending.pipelines.add(id);
    pending.inbox ||= inbox;
    pending.fleet ||= fleet;
    if (tenant) pending.tenant = tenant;
    wait();
  });
  const end = () => {
    clearTimeout(timer);
    stop();
  };
  if (signal.aborted) end();
  else signal.addEventListener("abort", end, { once: true });
}
