import type { AgentManifest, DefinitionDigest } from "@baton/contract";
import type { AmountLimit } from "../../spend-limits.ts";
import type { BreakerScope } from "../fleet-view.ts";
import type { Breaker, BreakerMove } from "../health/breaker.ts";
import type { Conduct } from "../health/standing.ts";
import type { Vitals } from "../health/vitals.ts";
import type { PinnedDefinition, Row } from "./fleet-state.ts";
import type { AttemptOutcome } from "./work.ts";

/** A decided fact about the fleet. Replaying the records gives the same state. */
export type FleetRecord =
  | { readonly kind: "manifest-registered"; readonly manifest: AgentManifest }
  | HeartbeatTaken
  | LeaseEnded
  | (OfInstance & { readonly kind: "instance-forgotten" })
  /** Until its next heartbeat, it is no candidate. */
  | (OfInstance & { readonly kind: "stream-lost" })
  | (OfInstance & {
      readonly kind: "dispatched";
      readonly dispatchId: string;
      readonly taskType: string;
      readonly startedAtMs: number;
      /** Set when it was active before a restart: its instance may not be known yet. */
      readonly recoveredAtMs?: number;
    })
  | {
      readonly kind: "settled";
      readonly dispatchId: string;
      readonly outcome: AttemptOutcome;
      readonly error: string;
      readonly atMs: number;
    }
  /** The hub counts a succeeded attempt as failed. */
  | (OfInstance & {
      readonly kind: "attempt-overturned";
      readonly dispatchId: string;
      readonly error: string;
    })
  | (OfInstance & ConductNoted & { readonly kind: "conduct-noted" })
  /** A new instance continues the conduct of its pack and key. Derived again from their stored records. */
  | (OfInstance & { readonly kind: "conduct-inherited"; readonly conduct: Conduct; readonly atMs: number })
  | (OfInstance & ConductNoted & { readonly kind: "quarantined" })
  | (OfInstance & ConductNoted & { readonly kind: "restored"; readonly by: string; readonly reason: string })
  | (Halt & { readonly kind: "stopped" })
  | (Halt & { readonly kind: "started" })
  | (Halt & { readonly kind: "spend-raised"; readonly amounts: AmountLimit })
  /** The definition of a tool is the accepted one: the first, or one that a person accepted. */
  | (OfTool & { readonly kind: "tool-pinned"; readonly by: string })
  /** The definition waits for a person. */
  | (OfTool & { readonly kind: "tool-changed" })
  | {
      readonly kind: "breaker-moved";
      readonly scope: BreakerScope;
      readonly transition: BreakerMove["transition"];
      readonly breaker: Breaker;
    };

interface OfTool {
  readonly packId: string;
  readonly name: string;
  readonly definition: PinnedDefinition;
  readonly atMs: number;
}

/** Who stopped or started the tenant, why and when. */
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
  /** Its key; empty when not known. */
  readonly by: string;
  /** Digests of its definition; absent when it states none. */
  readonly definition?: readonly DefinitionDigest[];
  /** Set on the first heartbeat since the hub started. */
  readonly knownSinceMs?: number;
}

export interface LeaseEnded extends OfInstance {
  readonly kind: "lease-ended";
  readonly reason: "expired" | "detached";
  readonly atMs: number;
  /** Its active dispatches, which count as timed out (A §3.2 step 6). Sorted. */
  readonly lostDispatchIds: readonly string[];
}

interface ConductNoted {
  readonly conduct: Conduct;
  readonly atMs: number;
  /** Results with disproved claims that this adds to the pack's count. */
  readonly disproved?: number;
  /** The key of the instance, and its row after this; absent in older records. */
  readonly key?: string;
  readonly row?: Row;
}

export type RecordOf<Kind extends FleetRecord["kind"]> = Extract<FleetRecord, { kind: Kind }>;

/**
 * Which records are stored. The next heartbeats and attaching agents rebuild the rest; what the hub found out about an
 * agent has no other source.
 */
export const recordDurability: Readonly<Record<FleetRecord["kind"], "stored" | "rebuilt">> = {
  "manifest-registered": "stored",
  "heartbeat-taken": "rebuilt",
  "lease-ended": "rebuilt",
  "instance-forgotten": "rebuilt",
  "stream-lost": "rebuilt",
  dispatched: "rebuilt",
  settled: "rebuilt",
  "attempt-overturned": "rebuilt",
  "conduct-noted": "stored",
  "conduct-inherited": "rebuilt",
  quarantined: "stored",
  restored: "stored",
  stopped: "stored",
  started: "stored",
  "spend-raised": "stored",
  "tool-pinned": "stored",
  "tool-changed": "stored",
  "breaker-moved": "rebuilt",
};
