import { systemClock } from "../ports/clock.ts";
import { agentCalls } from "./agent-calls.ts";
import { auditCalls } from "./audit-calls.ts";
import { composeHub, type HubParts } from "./compose-hub.ts";
import type { HubContext } from "./context.ts";
import { escalationCalls } from "./escalation-calls.ts";
import type { Hub } from "./hub.ts";
import { pipelineCalls } from "./pipeline-calls.ts";

export type { HubParts };

/** Brings a hub up from its store. It takes work when this resolves. */
export async function createHub(parts: HubParts): Promise<Hub> {
  const { store, templates } = parts;
  const composed = composeHub(parts, parts.clock ?? systemClock(await store.newestMs()));
  const { driver, attached, push, watchers, chance, limits, closing } = composed;
  let whyClosing: string | undefined;
  await driver.start();

  const context: HubContext = {
    driver,
    store,
    templates,
    attached,
    watchers,
    chance,
    queueLimit: limits.queue,
    onHeartbeat: (tenantId, heartbeat) => push.heard(tenantId, heartbeat),
    whyNotReady: () => whyClosing ?? driver.whyAway,
  };
  return {
    ...pipelineCalls(context),
    ...escalationCalls(context),
    ...agentCalls(context),
    ...auditCalls(context),
    watchEvents: ({ tenantId }, request, signal) => watchers.watch(tenantId, request, signal),
    whyNotReady: context.whyNotReady,
    async drain(graceMs) {
      whyClosing = "the hub is about to close";
      attached.drain(whyClosing, graceMs);
      watchers.close();
      await driver.close();
      push.close();
      closing.abort(new Error(whyClosing));
    },
  };
}
