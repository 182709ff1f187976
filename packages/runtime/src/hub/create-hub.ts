import type { AgentManifest } from "@baton/contract";
import { defaultMode, heldPlaces } from "@baton/kernel";
import type { CommandPack } from "../agents/command/settings.ts";
import { Auditor } from "../audit/auditor.ts";
import type { Driver } from "../driver/driver.ts";
import { pipelineOf } from "../driver/order.ts";
import type { HubAuditEvent } from "../driver/work.ts";
import { filterCalls } from "../filter/filter-calls.ts";
import { systemClock } from "../ports/clock.ts";
import type { TellLeft } from "../ports/outside.ts";
import { Retainer } from "../retention/retainer.ts";
import { noWorkspaces } from "../workspaces/no-workspaces.ts";
import { agentCalls } from "./agent-calls.ts";
import { auditCalls } from "./audit-calls.ts";
import { boundCalls } from "./bound-calls.ts";
import { changesCalls } from "./changes-calls.ts";
import { composeHub, type HubParts } from "./compose-hub.ts";
import type { Changeable } from "./configuration.ts";
import { available, type HubContext, inPublic } from "./context.ts";
import { escalationCalls } from "./escalation-calls.ts";
import type { Hub } from "./hub.ts";
import { inspectionCalls } from "./inspection-calls.ts";
import { letFinish } from "./let-finish.ts";
import { pipelineCalls } from "./pipeline-calls.ts";
import { type RefusedPack, registerPacks } from "./register-packs.ts";
import { rerunCalls } from "./rerun-calls.ts";
import { rewindCalls } from "./rewind-calls.ts";
import { steeringCalls } from "./steering-calls.ts";
import { tenantCalls } from "./tenant-calls.ts";
import { turnCalls } from "./turn-calls.ts";

export type { HubParts };

/** A hub, as whoever started it has it. */
export interface ConfigurableHub extends Hub {
  /** Holds from the next decision on. What is under way keeps the plan it was started with. */
  configure(next: Changeable): void;
  /** From now on these commands are agents, and no others. What runs and is no more among them is ended; what has changed ends as it began. */
  setCommands(packs: readonly CommandPack[]): Promise<void>;
  /** Which of these commands cannot work, or run with less than a full sandbox. Anybody may read it, so it names none of them. */
  commandWarnings(): readonly string[];
  /** Writes an entry about the hub itself into the record of each tenant. Rejects when the store fails. */
  recordEvent(tenants: readonly string[], event: HubAuditEvent): Promise<void>;
  /** Makes packs known to tenants, all or none. Gives what was refused. */
  registerPacks(
    manifests: readonly AgentManifest[],
    tenants: readonly string[],
  ): Promise<readonly RefusedPack[]>;
}

/** Brings a hub up from its store. It takes work when this resolves. */
export async function createHub(parts: HubParts): Promise<ConfigurableHub> {
  const { store } = parts;
  const clock = parts.clock ?? systemClock(await store.newestMs());
  const composed = composeHub(parts, clock);
  const { driver, attached, push, commands, watchers, room, chance, limits, configuration, filter, closing } =
    composed;
  let whyClosing: string | undefined;
  const onProblem = (problem: Error) => parts.onProblem?.(problem);
  const auditor = new Auditor({ store, clock, options: parts.audit, onProblem });
  await driver.start();
  composed.desk.recall(await store.openCalls());
  composed.desk.recallHeld(await store.heldBack());
  void tidyWorkspaces(parts, driver, closing.signal);
  await commands.set(parts.commands?.packs ?? []);
  auditor.start();
  const retainer = parts.retention && new Retainer({ store, clock, options: parts.retention, onProblem });
  retainer?.start();

  const context: HubContext = {
    driver,
    store,
    configuration,
    mode: parts.mode ?? defaultMode,
    attached,
    watchers,
    chance,
    workspaces: parts.workspaces ?? noWorkspaces,
    restorations: composed.restorations,
    closing: closing.signal,
    queueLimit: limits.queue,
    filter,
    onHeartbeat: (tenantId, heartbeat) => push.heard(tenantId, heartbeat),
    sandboxOf: (agent) => commands.sandboxOf(agent),
    whyNotReady: () => whyClosing ?? (driver.whyAway && inPublic(driver.whyAway)),
  };
  const calls = {
    ...pipelineCalls(context),
    ...steeringCalls(context),
    ...rewindCalls(context),
    ...rerunCalls(context),
    ...escalationCalls(context),
    ...tenantCalls(context),
    ...agentCalls(context),
    ...inspectionCalls(context),
    ...changesCalls(context),
    ...turnCalls(context),
  };
  return {
    attachAgent: calls.attachAgent,
    ...filterCalls({ ...calls, ...boundCalls(calls, room) }, filter),
    ...auditCalls(context, auditor),
    watchEvents: ({ tenantId }, request, signal) => watchers.watch(tenantId, request, signal),
    watchTogether: ({ tenantId }, request, signal) => watchers.watchTogether(tenantId, request, signal),
    onStir: ({ tenantId }, listener) => composed.stirs.listen(tenantId, listener),
    whyNotReady: context.whyNotReady,
    stoppedTenants: () => driver.stoppedTenants(),
    recordWarnings: () => auditor.warnings(),
    configure: (next) => configuration.replace(next),
    setCommands: (packs) => commands.set(packs),
    commandWarnings: () => commands.warnings(),
    recordEvent: async (tenants, event) => {
      await Promise.all(tenants.map((tenantId) => available(driver.recordEvent(tenantId, event))));
    },
    registerPacks: (manifests, tenants) => registerPacks(driver, manifests, tenants),
    async drain(graceMs) {
      whyClosing = "the hub is about to close";
      attached.drain(whyClosing, graceMs);
      await letFinish(composed.switchboard, graceMs, clock);
      attached.close();
      await commands.close();
      watchers.close();
      await retainer?.close();
      await driver.close();
      // The last of what was stored is signed, too.
      await auditor.close();
      push.close();
      closing.abort(new Error(whyClosing));
    },
  };
}

/** Places of an earlier life that nobody holds any more are cleared away while the hub is at work already. */
async function tidyWorkspaces(
  { workspaces, onProblem }: HubParts,
  driver: Driver,
  signal: AbortSignal,
): Promise<void> {
  const held = new Set([...driver.openPipelines()].flatMap((state) => [...heldPlaces(state).keys()]));
  const left: TellLeft = (dispatchId, commit) =>
    driver.give(pipelineOf(dispatchId), { type: "work-left", dispatchId, commit });
  try {
    await workspaces?.tidy(held, signal, left);
  } catch (error) {
    if (!signal.aborted) onProblem?.(error instanceof Error ? error : new Error(String(error)));
  }
}
