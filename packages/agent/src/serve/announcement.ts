import { setTimeout as pause } from "node:timers/promises";
import type { AgentHeartbeat, AgentManifest } from "@baton/contract";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { type HubClient, isRefusal, refusalError } from "../hub-client.ts";
import { limits } from "../limits.ts";
import { Backoff, Outage } from "../outage.ts";
import type { OnProblem } from "../problem.ts";

export interface AnnouncementParts {
  readonly hub: HubClient;
  readonly manifest: AgentManifest;
  readonly heartbeat: () => AgentHeartbeat;
  readonly onProblem: OnProblem;
  readonly onBack: (address: string) => void;
  readonly giveUpAfterMs: number | undefined;
  readonly signal: AbortSignal;
  /** Called after each accepted heartbeat. */
  readonly onKnown: () => void;
}

/** Registers the agent and sends heartbeats until the signal aborts (A §3.1 layers 1 and 2). */
export async function announce(parts: AnnouncementParts): Promise<void> {
  const { hub, manifest, heartbeat, signal } = parts;
  const backoff = new Backoff();
  const outage = new Outage({ ...parts, address: hub.address });
  const call = { signal };
  let isRegistered = false;
  while (!signal.aborted) {
    let waitMs: number;
    try {
      if (!isRegistered) await hub.registry.registerAgent({ manifest }, call);
      const { leaseExpiresAt } = await hub.registry.sendHeartbeat({ heartbeat: heartbeat() }, call);
      isRegistered = true;
      outage.end();
      parts.onKnown();
      backoff.streamEnded(limits.shortStreamMs);
      waitMs = heartbeatIntervalMs(leaseExpiresAt && timestampMs(leaseExpiresAt));
    } catch (error) {
      if (signal.aborted) return;
      if (!isRegistered && isRefusal(error)) throw refusalError(hub.address, error);
      isRegistered = false; // A restarted hub may have lost the manifest.
      outage.continue(error);
      backoff.streamEnded(undefined);
      waitMs = backoff.nextMs();
    }
    await pause(waitMs, undefined, { signal }).catch(() => {});
  }
}

/**
 * Three heartbeats per lease, so that one may be lost. The end of the lease is in the hub's clock: when it is in the past
 * here, or later than requested, the clocks differ, and the requested lease counts.
 */
export function heartbeatIntervalMs(leaseEndsMs: number | undefined): number {
  const stated = leaseEndsMs === undefined ? limits.leaseMs : leaseEndsMs - Date.now();
  const leaseMs = stated > 0 && stated < limits.leaseMs ? stated : limits.leaseMs;
  return Math.max(leaseMs / 3, limits.heartbeatLeastMs);
}
