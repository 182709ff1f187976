import type { AgentHeartbeat } from "@baton/contract";
import type { Actor, HubMode, PipelineState, Problem } from "@baton/kernel";
import type { Address } from "../agents/address.ts";
import type { AttachedAgents } from "../agents/attached/attach.ts";
import type { Driver } from "../driver/driver.ts";
import type { Restorations } from "../driver/restorations.ts";
import type { Taken } from "../driver/work.ts";
import type { Filter } from "../filter/filter.ts";
import type { Chance, Workspaces } from "../ports/outside.ts";
import type { Store } from "../ports/store.ts";
import { type StoreErrorCode, StoreUnavailable } from "../ports/store-error.ts";
import type { HubConfiguration } from "./configuration.ts";
import type { Caller } from "./hub.ts";
import { HubError, type HubErrorKind } from "./hub-error.ts";
import type { Watchers } from "./watch.ts";

/** What the calls of the hub have in common. */
export interface HubContext {
  readonly driver: Driver;
  readonly store: Store;
  readonly configuration: HubConfiguration;
  readonly mode: HubMode;
  readonly attached: AttachedAgents;
  readonly watchers: Watchers;
  readonly chance: Chance;
  readonly workspaces: Workspaces;
  readonly restorations: Restorations;
  /** Fires when the hub closes. */
  readonly closing: AbortSignal;
  readonly queueLimit: number;
  readonly filter: Filter;
  /** An agent that listens has said how it is, and where. */
  readonly onHeartbeat: (tenantId: string, heartbeat: AgentHeartbeat) => Promise<void>;
  /** How a command that the hub starts is kept apart; empty for agents that come in by themselves. */
  readonly sandboxOf: (agent: Address) => string;
  /** Why no new work is taken; undefined when it is. */
  readonly whyNotReady: () => string | undefined;
}

/** The state after what was asked, once it is durable. */
export async function settled(taken: Promise<Taken>): Promise<Extract<Taken, { accepted: true }>> {
  const outcome = await available(taken);
  if (outcome.accepted) return outcome;
  throw refusal(outcome.problem);
}

/** What the store says, or that it cannot say anything now. */
export function available<Value>(reading: Promise<Value>): Promise<Value> {
  return reading.catch((error: unknown): never => {
    throw notNow(error);
  });
}

/** Who asks, as decisions name them. */
export function actorOf({ kind, id, keyId }: Caller): Actor {
  return { kind, id, ...(keyId !== undefined && { keyId }) };
}

/** Absent and another tenant's give the same answer. */
export async function find(
  { driver }: HubContext,
  caller: Caller,
  pipelineId: string,
): Promise<PipelineState> {
  const state = await available(driver.pipeline(pipelineId));
  if (state?.tenantId === caller.tenantId) return state;
  throw notFound("run", pipelineId, "list the runs (baton runs list) and name one of them");
}

export function notFound(what: string, id: string, fix: string): HubError {
  return new HubError("not-found", "BATON-PIPELINE-003", `there is no ${what} "${id}"`, { fix });
}

export function refusal({ code, at, message, fix }: Problem): HubError {
  const violations = at ? [{ field: at, rule: code, message }] : [];
  return new HubError(kinds[code] ?? "invalid", code, message, { fix, violations });
}

const kinds: Partial<Record<Problem["code"], HubErrorKind>> = {
  "BATON-PIPELINE-002": "precondition",
  "BATON-PIPELINE-003": "not-found",
  "BATON-PIPELINE-004": "denied",
  "BATON-PIPELINE-005": "exists",
  "BATON-PIPELINE-006": "internal",
  "BATON-PIPELINE-007": "internal",
  "BATON-PIPELINE-008": "precondition",
  "BATON-PIPELINE-009": "precondition",
  "BATON-PIPELINE-010": "precondition",
};

const retryAfterMs = 1_000;

/** The store does not work: nothing was done, and it may work soon. */
export function notNow(error: unknown): HubError {
  const known = error instanceof StoreUnavailable;
  const message = inPublic(error);
  return new HubError("unavailable", known ? error.code : "BATON-HUB-002", message, {
    fix: known ? error.fix : "try again; if it stays so, look into the hub's log",
    retryAfterMs,
    cause: error,
  });
}

/** Where the store is, and whose pipeline an error is about, stands in the log: callers may be of any tenant, or of none. */
export function inPublic(error: unknown): string {
  return error instanceof StoreUnavailable ? troubles[error.code] : "the hub cannot store anything now";
}

const troubles: Readonly<Record<StoreErrorCode, string>> = {
  "BATON-STORE-001": "another process has the store",
  "BATON-STORE-002": "a later version of Baton has written to the store",
  "BATON-STORE-003": "something that is stored is damaged",
  "BATON-STORE-004": "there is no room left where the hub stores",
  "BATON-STORE-005": "the hub must not write to its store",
  "BATON-STORE-006": "the store cannot be reached",
  "BATON-STORE-007": "the place for the backup cannot be used",
  "BATON-STORE-008": "the hub cannot store this: a mistake of its own",
  "BATON-STORE-009": "the hub's key for its record cannot be used",
  "BATON-STORE-010": "the key that opens the store cannot be used",
  "BATON-STORE-011": "the key that opens the store is another one",
};

/** New work is turned away at once when there is too much of it, or when the hub is about to close. */
export function refuseOverload({ driver, queueLimit, whyNotReady }: HubContext): void {
  const why = whyNotReady();
  if (why !== undefined)
    throw new HubError("unavailable", "BATON-HUB-003", `no new work is taken: ${why}`, {
      fix: "try again",
      retryAfterMs,
    });
  if (driver.queueLength < queueLimit) return;
  throw new HubError("exhausted", "BATON-HUB-004", `${driver.queueLength} requests are waiting`, {
    fix: "try again later, with fewer requests at a time",
    retryAfterMs,
  });
}
