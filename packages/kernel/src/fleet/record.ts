import type { AgentManifest } from "@baton/contract";
import type { Breaker, BreakerMove } from "./breaker.ts";
import type { Row } from "./fleet-state.ts";
import type { BreakerScope } from "./fleet-view.ts";
import type { Conduct } from "./standing.ts";
import type { Vitals } from "./vitals.ts";

/** What was decided about the fleet. Folding the records again gives the same state: nothing is chosen twice. */
export type FleetRecord =
  | { readonly kind: "manifest-registered"; readonly manifest: AgentManifest }
  | HeartbeatTaken
  | LeaseEnded
  | (OfInstance & { readonly kind: "instance-forgotten" })
  | (OfInstance & {
      readonly kind: "dispatched";
      readonly dispatchId: string;
      readonly taskType: string;
      /** Set when it was under way before a restart: its instance may not be known yet. */
      readonly recoveredAtMs?: number;
    })
  | { readonly kind: "settled"; readonly dispatchId: string }
  | (OfInstance & ConductNoted & { readonly kind: "conduct-noted" })
  /** A new instance goes on where others of its pack and key stood. Follows again from what is stored of those. */
  | (OfInstance & { readonly kind: "conduct-inherited"; readonly conduct: Conduct; readonly atMs: number })
  | (OfInstance & ConductNoted & { readonly kind: "quarantined" })
  | (OfInstance & ConductNoted & { readonly kind: "restored"; readonly by: string; readonly reason: string })
  | (Halt & { readonly kind: "stopped" })
  | (Halt & { readonly kind: "started" })
  | {
      readonly kind: "breaker-moved";
      readonly scope: BreakerScope;
      readonly transition: BreakerMove["transition"];
      readonly breaker: Breaker;
    };

/** Who stopped the tenant or let it go on, why and when. */
export interface Halt {
  readonly by: string;
  readonly reason: string;
  readonly atMs: number;
}

export interface OfInstance {
  readonly packId: string;
  readonly instanceId: string;
}

export interface HeartbeatTaken extends OfInstance {
  readonly kind: "heartbeat-taken";
  readonly packVersion: string;
  readonly heartbeatAtMs: number;
  readonly leaseUntilMs: number;
  readonly vitals: Vitals;
  /** Sorted, each once. */
  readonly availableTools: readonly string[];
  /** Sorted, each once. */
  readonly degradedTools: readonly string[];
  /** The key that it came with; empty when that is not known. */
  readonly by: string;
}

export interface LeaseEnded extends OfInstance {
  readonly kind: "lease-ended";
  readonly reason: "expired" | "detached";
  readonly atMs: number;
  /** Dispatches that were under way there: to be treated as timed out (A §3.2 step 6). Sorted. */
  readonly lostDispatchIds: readonly string[];
}

interface ConductNoted {
  readonly conduct: Conduct;
  readonly atMs: number;
  /** How many results with disproved claims this adds to those of the pack. */
  readonly disproved?: number;
  /** The key of the instance, and its row after this; absent in older records. */
  readonly key?: string;
  readonly row?: Row;
}

export type RecordOf<Kind extends FleetRecord["kind"]> = Extract<FleetRecord, { kind: Kind }>;

/**
 * Which records have to survive the hub. What the fleet says of itself comes again with the next heartbeats, and what
 * is under way with the agents that attach again; what the hub found out about an agent comes from nowhere else.
 */
export const recordDurability: Readonly<Record<FleetRecord["kind"], "stored" | "rebuilt">> = {
  "manifest-registered": "stored",
  "heartbeat-taken": "rebuilt",
  "lease-ended": "rebuilt",
  "instance-forgotten": "rebuilt",
  dispatched: "rebuilt",
  settled: "rebuilt",
  "conduct-noted": "stored",
  "conduct-inherited": "rebuilt",
  quarantined: "stored",
  restored: "stored",
  stopped: "stored",
  started: "stored",
  "breaker-moved": "rebuilt",
};
