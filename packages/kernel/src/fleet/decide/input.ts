import type { AgentHeartbeat, AgentManifest } from "@baton/contract";
import type { AmountLimit, TenantLimits } from "../../spend-limits.ts";
import type { DispatchOutcome } from "../health/breaker.ts";
import type { FleetSettings } from "../settings.ts";
import type { PinnedDefinition } from "../state/fleet-state.ts";
import type { AttemptOutcome } from "../state/work.ts";

/** An input of the fleet. The fleet keeps the messages; the caller no longer changes them. */
export type FleetInput =
  | { readonly kind: "register"; readonly manifest: AgentManifest }
  /** Registers all packs or none. */
  | { readonly kind: "register-all"; readonly manifests: readonly AgentManifest[] }
  | {
      readonly kind: "heartbeat";
      readonly heartbeat: AgentHeartbeat;
      /** Its key; absent when not known, or unchanged. */
      readonly by?: string | undefined;
    }
  /** The stream of an instance broke. Until its next heartbeat, nothing is dispatched to it. */
  | { readonly kind: "stream-lost"; readonly packId: string; readonly instanceId: string }
  /** The newest stream of an instance broke. Not sent for older streams: the instance has attached again since. */
  | {
      readonly kind: "detach";
      readonly packId: string;
      readonly instanceId: string;
      /** When the stream broke, if before now. */
      readonly sinceMs?: number;
    }
  /**
   * Time has passed. Almost free when no lease has run out, so it may precede every read of the fleet. How often it runs
   * decides how soon pipelines learn of lost dispatches, not which instances are candidates.
   */
  | { readonly kind: "tick" }
  /** Decided before the envelope is sent; a refused dispatch must not be sent. */
  | {
      readonly kind: "dispatched";
      readonly dispatchId: string;
      readonly packId: string;
      readonly instanceId: string;
      readonly taskType: string;
      /**
       * It was active when the hub went down. It counts at once, even before its instance is back: otherwise the limits
       * of a pack would not hold until all its agents have returned.
       */
      readonly recovered?: boolean;
      /** When it was sent, if before now. */
      readonly sentAtMs?: number;
    }
  /** The dispatch has ended. Breakers count failures. */
  | {
      readonly kind: "settled";
      readonly dispatchId: string;
      readonly outcome: DispatchOutcome;
      /** The outcome for people; by default that of the breakers. */
      readonly endedAs?: AttemptOutcome;
      /** Why it did not succeed. */
      readonly error?: string;
    }
  /** A succeeded attempt is counted as failed: the checks of the hub failed, or nothing was done. */
  | {
      readonly kind: "overturned";
      readonly dispatchId: string;
      readonly packId: string;
      readonly instanceId: string;
      readonly error: string;
    }
  /** A result was checked against the contract and its envelope (A §3.2 step 7). */
  | {
      readonly kind: "result";
      readonly packId: string;
      readonly instanceId: string;
      readonly valid: boolean;
      /** Why the result is invalid. */
      readonly error?: string;
      /** The dispatch_id of a result that belongs to no attempt. No run has a record of it, so the fleet audits it. */
      readonly stated?: string;
    }
  /** The hub has checked the claims of a result. */
  | {
      readonly kind: "claims";
      readonly packId: string;
      readonly instanceId: string;
      readonly held: boolean;
      /** Which claims did not hold. */
      readonly error?: string;
    }
  /** An operator restores a quarantined instance. */
  | {
      readonly kind: "restore";
      readonly packId: string;
      readonly instanceId: string;
      readonly by: string;
      readonly reason: string;
    }
  /** An operator stops or starts all work of the tenant. */
  | { readonly kind: "stop"; readonly by: string; readonly reason: string }
  | { readonly kind: "start"; readonly by: string; readonly reason: string }
  /** An operator lets the tenant spend more today (SAC-12). */
  | {
      readonly kind: "raise-spend";
      readonly amounts: AmountLimit;
      /** The limits in force; only a limit that there is can be raised. */
      readonly limits: TenantLimits;
      readonly by: string;
      readonly reason: string;
    }
  /** An agent reports the definitions of tools as their server states them now (SACP §8). */
  | {
      readonly kind: "pin-tools";
      readonly packId: string;
      readonly tools: readonly (PinnedDefinition & { readonly name: string })[];
    }
  /** An operator accepts the changed definition of a tool. */
  | {
      readonly kind: "accept-tool";
      readonly packId: string;
      readonly name: string;
      readonly digest: string;
      readonly by: string;
      readonly reason: string;
    };

export type InputOf<Kind extends FleetInput["kind"]> = Extract<FleetInput, { kind: Kind }>;

/** What a decision depends on besides the state. */
export interface FleetWorld {
  readonly nowMs: number;
  readonly orchestratorVersion: string;
  /** Default: `defaultFleetSettings`. */
  readonly settings?: FleetSettings;
}

/** With the defaults filled in. */
export type FullFleetWorld = Required<FleetWorld>;
