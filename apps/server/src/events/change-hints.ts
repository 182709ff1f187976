import type { ChangeHint } from "@baton/runtime";
import type { EventAnswer } from "./event-answer.ts";
import { frame } from "./event-frames.ts";

/** Changes within this time are published together, which limits how often a page reads again. */
const batchMs = 200;

/** Beyond this number of pipelines the hint only says that there are many. */
const maxPipelines = 100;

/**
 * Publishes change hints in a stream of events, so that the page reads again what changed (TUR-04). Waits until the stream
 * has begun, when the page reads everything anyway, and while the client does not read.
 */
export function publishChangeHints(
  answer: EventAnswer,
  listen: (listener: (changeHint: ChangeHint) => void) => () => void,
  signal: AbortSignal,
): void {
  let pending: { pipelines: Set<string>; inbox: boolean; fleet: boolean; tenant?: true } | undefined;
  let timer: NodeJS.Timeout | undefined;
  const publish = () => {
    timer = undefined;
    if (pending === undefined || signal.aborted || answer.hasEnded) return;
    if (!answer.hasBegun || answer.isBehind) return wait();
    const { pipelines, inbox, fleet, tenant } = pending;
    const isMany = pipelines.size > maxPipelines;
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
    timer ??= setTimeout(publish, batchMs).unref();
  };
  const stop = listen(({ pipelines, inbox, fleet, tenant }) => {
    pending ??= { pipelines: new Set(), inbox: false, fleet: false };
    if (pending.pipelines.size <= maxPipelines) for (const id of pipelines) pending.pipelines.add(id);
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
