import type { AgentManifest } from "@baton/contract";
import { defaultMode, heldWorkspaces } from "@baton/kernel";
import type { CommandPack } from "../agents/command/settings.ts";
import type { AgentConnections } from "../agents/connections.ts";
import { agentCalls } from "../api/agents/agent-calls.ts";
import { stepCalls } from "../api/agents/step-calls.ts";
import { toolCalls } from "../api/agents/tool-calls.ts";
import { auditCalls } from "../api/audit-calls.ts";
import { boundCalls } from "../api/bound-calls.ts";
import type { Changeable } from "../api/configuration.ts";
import type { HubContext } from "../api/context.ts";
import type { Hub } from "../api/hub.ts";
import { changesCalls } from "../api/inspect/changes-calls.ts";
import { constitutionCalls } from "../api/inspect/constitution-calls.ts";
import { inspectionCalls } from "../api/inspect/inspection-calls.ts";
import { spendCalls } from "../api/inspect/spend-calls.ts";
import { stepInspection } from "../api/inspect/step-inspection.ts";
import { turnCalls } from "../api/inspect/turn-calls.ts";
import { cacheCalls } from "../api/knowledge/cache-calls.ts";
import { learningCalls } from "../api/knowledge/learning-calls.ts";
import { redactCalls } from "../api/redact-calls.ts";
import { rerunCalls } from "../api/rewind/rerun-calls.ts";
import { rewindCalls } from "../api/rewind/rewind-calls.ts";
import { governedCalls } from "../api/sap/governed-calls.ts";
import { escalationCalls } from "../api/tasks/escalation-calls.ts";
import { pipelineCalls } from "../api/tasks/pipeline-calls.ts";
import { steeringCalls } from "../api/tasks/steering-calls.ts";
import { tenantCalls } from "../api/tasks/tenant-calls.ts";
import { Auditor } from "../audit/auditor.ts";
import type { HubAuditEvent } from "../audit/hub-events.ts";
import type { Engine } from "../engine/engine.ts";
import { available, inPublic } from "../ports/available.ts";
import { type Clock, systemClock } from "../ports/clock.ts";
import type { ReportWorkLeft } from "../ports/outside.ts";
import { pipelineOf } from "../ports/stored-command.ts";
import { Retainer } from "../retention/retainer.ts";
import { noWorkspaces } from "../workspaces/no-workspaces.ts";
import { composeHub, type HubParts } from "./compose-hub.ts";
import { type RefusedPack, registerPacks } from "./register-packs.ts";

export type { HubParts };

/** A hub with the calls of the program that started it. */
export interface ConfigurableHub extends Hub {
  /** Applies from the next decision on. Runs under way keep their plan. */
  configure(next: Changeable): void;
  /** Replaces the command agents. Those that are gone are ended; changed ones finish their attempt as it began. */
  setCommands(packs: readonly CommandPack[]): Promise<void>;
  /** How many commands cannot work, or run with less than a full sandbox. Public, so it names none of them. */
  commandWarnings(): readonly string[];
  /** The public keys of signatures of webhooks, as Standard Webhooks writes them. */
  webhookKeys(): readonly string[];
  /** Writes an entry about the hub into the audit record of each tenant. Rejects when the store fails. */
  recordEvent(tenants: readonly string[], event: HubAuditEvent): Promise<void>;
  /** Registers packs for tenants, all or none. Returns the refused ones. */
  registerPacks(
    manifests: readonly AgentManifest[],
    tenants: readonly string[],
  ): Promise<readonly RefusedPack[]>;
}

/** Starts a hub from its store. It takes work when this resolves. */
export async function createHub(parts: HubParts): Promise<ConfigurableHub> {
  const { store } = parts;
  const clock = parts.clock ?? systemClock(await store.newestMs());
  const composed = composeHub(parts, clock);
  const {
    engine,
    attached,
    push,
    commands,
    watchers,
    intake,
    chance,
    limits,
    configuration,
    filter,
    closing,
  } = composed;
  let whyClosing: string | undefined;
  const onProblem = (problem: Error) => parts.onProblem?.(problem);
  const auditor = new Auditor({ store, clock, options: parts.audit, onProblem });
  await engine.start();
  composed.reports.recall(await store.openCalls(), await store.heldBack());
  void tidyWorkspaces(parts, engine, closing.signal);
  await commands.set(parts.commands?.packs ?? []);
  auditor.start();
  const retainer = parts.retention && new Retainer({ store, clock, options: parts.retention, onProblem });
  retainer?.start();

  const context: HubContext = {
    engine,
    store,
    configuration,
    mode: parts.mode ?? defaultMode,
    attached,
    connections: composed.connections,
    reports: composed.reports,
    givenSteps: composed.givenSteps,
    watchers,
    chance,
    workspaces: parts.workspaces ?? noWorkspaces,
    restorations: composed.restorations,
    closing: closing.signal,
    queueLimit: limits.queue,
    filter,
    onHeartbeat: (tenantId, heartbeat) => push.onHeartbeat(tenantId, heartbeat),
    sandboxOf: (agent) => commands.sandboxOf(agent),
    refuseCommandInstance: (agent) => commands.refuseCommandInstance(agent),
    whyNotReady: () => whyClosing ?? (engine.unavailableReason && inPublic(engine.unavailableReason)),
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
    ...constitutionCalls(context),
    ...changesCalls(context),
    ...turnCalls(context),
    ...spendCalls(context),
    ...cacheCalls(context),
    ...learningCalls(context),
    ...stepCalls(context),
    ...toolCalls(context),
    ...stepInspection(context),
  };
  const onChangeHint: Hub["onChangeHint"] = ({ tenantId }, listener) =>
    composed.changeHints.listen(tenantId, listener);
  const redacted = redactCalls({ ...calls, ...boundCalls(calls, intake) }, filter);
  return {
    attachAgent: calls.attachAgent,
    listSteps: calls.listSteps,
    ...redacted,
    sap: governedCalls({
      context,
      calls: { ...redacted, onChangeHint },
      references: parts.references,
    }),
    ...auditCalls(context, auditor),
    watchEvents: ({ tenantId }, request, signal) => watchers.watch(tenantId, request, signal),
    watchTogether: ({ tenantId }, request, signal) => watchers.watchTogether(tenantId, request, signal),
    onChangeHint,
    whyNotReady: context.whyNotReady,
    stoppedTenants: () => engine.stoppedTenants(),
    recordWarnings: () => auditor.warnings(),
    configure: (next) => configuration.replace(next),
    setCommands: (packs) => commands.set(packs),
    commandWarnings: () => commands.warnings(),
    webhookKeys: () => composed.deliveries.publicKeys(),
    recordEvent: async (tenants, event) => {
      await Promise.all(tenants.map((tenantId) => available(engine.recordEvent(tenantId, event))));
    },
    registerPacks: (manifests, tenants) => registerPacks(engine, manifests, tenants),
    async drain(graceMs) {
      whyClosing = "the hub is about to close";
      attached.drain(whyClosing, graceMs);
      await letFinish(composed.connections, graceMs, clock);
      attached.close();
      await commands.close();
      watchers.close();
      await retainer?.close();
      await engine.close();
      // The last entries are signed as well.
      await auditor.close();
      push.close();
      closing.abort(new Error(whyClosing));
    },
  };
}

/** Removes workspaces that no attempt holds any more, while the hub works already. */
async function tidyWorkspaces(
  { workspaces, onProblem }: HubParts,
  engine: Engine,
  signal: AbortSignal,
): Promise<void> {
  const held = new Set([...engine.openPipelines()].flatMap((state) => [...heldWorkspaces(state).keys()]));
  const left: ReportWorkLeft = (dispatchId, commit) =>
    engine.enqueue(pipelineOf(dispatchId), { type: "work-left", dispatchId, commit });
  try {
    await workspaces?.tidy(held, signal, left);
  } catch (error) {
    if (!signal.aborted) onProblem?.(error instanceof Error ? error : new Error(String(error)));
  }
}

/**
 * Gives working agents up to `graceMs` to answer. Nothing new is sent to them meanwhile: what is decided now is sent after
 * the restart.
 */
async function letFinish(connections: AgentConnections, graceMs: number, clock: Clock): Promise<void> {
  connections.withhold();
  if (graceMs <= 0) return;
  await new Promise<void>((resolve) => {
    const stop = clock.after(graceMs, resolve);
    void connections.quiet().then(() => {
      stop();
      resolve();
    });
  });
  // The last answers are acknowledged before the streams end.
  await new Promise<void>((resolve) => clock.soon(resolve));
}
