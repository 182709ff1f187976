import type { AgentHeartbeat, AgentManifest } from "@baton/contract";
import type { DispatchOutcome } from "./breaker.ts";
import type { FleetSettings } from "./settings.ts";

/** What happens to the fleet. Messages that are handed in belong to the fleet from then on and are not changed. */
export type FleetInput =
  | { readonly kind: "register"; readonly manifest: AgentManifest }
  /** Packs that belong together: all of them become known, or none. */
  | { readonly kind: "register-all"; readonly manifests: readonly AgentManifest[] }
  | {
      readonly kind: "heartbeat";
      readonly heartbeat: AgentHeartbeat;
      /** The key that it came with; absent when that is not known, or the same as before. */
      readonly by?: string | undefined;
    }
  /** The stream of an instance is lost. Only of its newest one: an instance may have attached again before. */
  | {
      readonly kind: "detach";
      readonly packId: string;
      readonly instanceId: string;
      /** When its stream broke, if that was before now. */
      readonly sinceMs?: number;
    }
  /**
   * Time has passed. Costs next to nothing when no lease has run out, so it may come before every look at the fleet;
   * how often is a matter of how soon pipelines are told of lost dispatches, not of who is a candidate.
   */
  | { readonly kind: "tick" }
  /** Decided before the envelope is sent: what is refused here must not leave. */
  | {
      readonly kind: "dispatched";
      readonly dispatchId: string;
      readonly packId: string;
      readonly instanceId: string;
      readonly taskType: string;
      /**
       * It was under way when the hub went down. It counts at once, also where its instance has not been heard of since:
       * otherwise the limits of a pack would not hold until all its agents are back.
       */
      readonly recovered?: boolean;
    }
  /** The dispatch is over, in whatever way; the breakers count `failed` ones. */
  | { readonly kind: "settled"; readonly dispatchId: string; readonly outcome: DispatchOutcome }
  /** A result was checked against the contract and its envelope (A §3.2 step 7). */
  | {
      readonly kind: "result";
      readonly packId: string;
      readonly instanceId: string;
      readonly valid: boolean;
      /** Why it is not valid. */
      readonly error?: string;
      /** The dispatch_id of an answer to no attempt. No run has a record of it, so the fleet audits it. */
      readonly stated?: string;
    }
  /** The hub has checked what a result claims, and some of it did not hold; or all of it did. */
  | {
      readonly kind: "claims";
      readonly packId: string;
      readonly instanceId: string;
      readonly held: boolean;
      /** What did not hold. */
      readonly error?: string;
    }
  /** An operator lets a quarantined instance in again. */
  | {
      readonly kind: "restore";
      readonly packId: string;
      readonly instanceId: string;
      readonly by: string;
      readonly reason: string;
    }
  /** An operator stops all work of the tenant, or lets it go on. */
  | { readonly kind: "stop"; readonly by: string; readonly reason: string }
  | { readonly kind: "start"; readonly by: string; readonly reason: string };

export type InputOf<Kind extends FleetInput["kind"]> = Extract<FleetInput, { kind: Kind }>;

/** What a decision looks at besides the state. */
export interface FleetWorld {
  readonly nowMs: number;
  readonly orchestratorVersion: string;
  /** `defaultFleetSettings` unless given. */
  readonly settings?: FleetSettings;
}

/** A world whose settings are there. */
export type SettledWorld = Required<FleetWorld>;
