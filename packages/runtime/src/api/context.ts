import type { AgentHeartbeat, Pipeline } from "@baton/contract";
import type { Actor, HubMode, PipelineInput, PipelineState, Problem } from "@baton/kernel";
import type { AgentReports } from "../agents/agent-reports.ts";
import type { AttachedAgents } from "../agents/attached/attach.ts";
import type { AgentConnections } from "../agents/connections.ts";
import type { GivenSteps } from "../agents/steps/given-steps.ts";
import type { Engine } from "../engine/engine.ts";
import type { InputResult } from "../engine/input.ts";
import type { Restorations } from "../executors/restorations.ts";
import type { Address } from "../ports/agent-address.ts";
import { available } from "../ports/available.ts";
import type { Caller } from "../ports/caller.ts";
import { HubError, type HubErrorKind } from "../ports/hub-error.ts";
import type { Chance, Workspaces } from "../ports/outside.ts";
import type { Store } from "../ports/store.ts";
import type { EgressFilter } from "../redaction/egress-filter.ts";
import { pipelineView } from "../views/pipeline-view.ts";
import type { Watchers } from "../watch/watch.ts";
import type { HubConfiguration } from "./configuration.ts";

/** Dependencies shared by all calls. */
export interface HubContext {
  readonly engine: Engine;
  readonly store: Store;
  readonly configuration: HubConfiguration;
  readonly mode: HubMode;
  readonly attached: AttachedAgents;
  readonly connections: Pick<AgentConnections, "isUnderWayAt">;
  readonly reports: Pick<AgentReports, "take">;
  readonly givenSteps: Pick<GivenSteps, "page">;
  readonly watchers: Watchers;
  readonly chance: Chance;
  readonly workspaces: Workspaces;
  readonly restorations: Restorations;
  /** Fires when the hub closes. */
  readonly closing: AbortSignal;
  readonly queueLimit: number;
  readonly filter: EgressFilter;
  /** Called with the heartbeat of a push agent. */
  readonly onHeartbeat: (tenantId: string, heartbeat: AgentHeartbeat) => Promise<void>;
  /** The sandbox of a command agent; empty for agents that connect. */
  readonly sandboxOf: (agent: Address) => string;
  /** Throws for agents that the hub starts. */
  readonly refuseCommandInstance: (agent: Address) => void;
  /** The reason why no new work is accepted; undefined when it is. */
  readonly whyNotReady: () => string | undefined;
}

/** The state after the input, once it is durable. */
export async function settled(
  taken: Promise<InputResult>,
): Promise<Extract<InputResult, { accepted: true }>> {
  const outcome = await available(taken);
  if (outcome.accepted) return outcome;
  throw refusal(outcome.problem);
}

/** The caller as an actor of decisions. */
export function actorOf({ kind, id, keyId }: Caller): Actor {
  return { kind, id, ...(keyId !== undefined && { keyId }) };
}

/** Submits an input to a pipeline of the caller's tenant and returns the pipeline's view afterwards. */
export async function changePipeline(
  context: HubContext,
  caller: Caller,
  pipelineId: string,
  input: (by: Actor) => PipelineInput,
): Promise<Pipeline> {
  await find(context, caller, pipelineId);
  const { state } = await settled(context.engine.submit(pipelineId, input(actorOf(caller))));
  return pipelineView(state, { withResults: true });
}

/** A missing run and another tenant's have the same error. */
export async function find(
  { engine }: HubContext,
  caller: Caller,
  pipelineId: string,
): Promise<PipelineState> {
  const state = await available(engine.pipeline(pipelineId));
  if (state?.tenantId === caller.tenantId) return state;
  throw runNotFound(pipelineId);
}

export function runNotFound(pipelineId: string): HubError {
  return notFound("run", pipelineId, "list the runs (baton runs list) and name one of them");
}

export function attemptNotFound(dispatchId: string): HubError {
  return notFound("attempt", dispatchId, "list the attempts of the run and name one of them");
}

export function notFound(kind: string, id: string, fix: string): HubError {
  return new HubError("not-found", "BATON-PIPELINE-003", `there is no ${kind} "${id}"`, { fix });
}

export function refusal({ code, at, message, fix }: Problem): HubError {
  const violations = at ? [{ field: at, rule: code, message }] : [];
  return new HubError(kinds[code] ?? "invalid", code, message, { fix, violations });
}

const kinds: Partial<Record<Problem["code"], HubErrorKind>> = {
  "BATON-GOVERNANCE-001": "denied",
  "BATON-PIPELINE-002": "precondition",
  "BATON-PIPELINE-003": "not-found",
  "BATON-PIPELINE-004": "denied",
  "BATON-PIPELINE-005": "exists",
  "BATON-PIPELINE-006": "internal",
  "BATON-PIPELINE-007": "internal",
  "BATON-PIPELINE-008": "precondition",
  "BATON-PIPELINE-009": "precondition",
  "BATON-PIPELINE-010": "precondition",
  "BATON-CACHE-001": "exhausted",
};

const retryAfterMs = 1_000;

/** Rejects new work when too many requests wait or the hub is about to close. */
export function refuseOverload({ engine, queueLimit, whyNotReady }: HubContext): void {
  const reason = whyNotReady();
  if (reason !== undefined)
    throw new HubError("unavailable", "BATON-HUB-003", `no new work is taken: ${reason}`, {
      fix: "try again",
      retryAfterMs,
    });
  if (engine.queueLength < queueLimit) return;
  throw new HubError("exhausted", "BATON-HUB-004", `${engine.queueLength} requests are waiting`, {
    fix: "try again later, with fewer requests at a time",
    retryAfterMs,
  });
}
