import { setTimeout as pause } from "node:timers/promises";
import type { AgentHeartbeat, AgentManifest } from "@baton/contract";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { Absence } from "../absence.ts";
import { Backoff } from "../attach/backoff.ts";
import { type HubClient, isRefusal, refusalError } from "../hub-client.ts";
import { limits } from "../limits.ts";
import type { OnProblem } from "../problem.ts";
import { heartbeatIntervalMs } from "./heartbeat-interval.ts";

export interface AnnouncementParts {
  readonly hub: HubClient;
  readonly manifest: AgentManifest;
  readonly heartbeat: () => AgentHeartbeat;
  readonly onProblem: OnProblem;
  readonly onBack: (address: string) => void;
  readonly giveUpAfterMs: number | undefined;
  readonly signal: AbortSignal;
  /** Called each time the hub knows the agent. */
  readonly onKnown: () => void;
}

/** Keeps the hub told that the agent is there and how it is, until the signal (A §3.1 layers 1 and 2). */
export async function announce(parts: AnnouncementParts): Promise<void> {
  const { hub, manifest, heartbeat, signal } = parts;
  const backoff = new Backoff();
  const absence = new Absence({ ...parts, address: hub.address });
  const call = { signal };
  let isRegistered = false;
  while (!signal.aborted) {
    let waitMs: number;
    try {
      if (!isRegistered) await hub.registry.registerAgent({ manifest }, call);
      const { leaseExpiresAt } = await hub.registry.sendHeartbeat({ heartbeat: heartbeat() }, call);
      isRegistered = true;
      absence.end();
      parts.onKnown();
      backoff.streamEnded(limits.shortStreamMs);
      waitMs = heartbeatIntervalMs(leaseExpiresAt && timestampMs(leaseExpiresAt));
    } catch (error) {
      if (signal.aborted) return;
      if (!isRegistered && isRefusal(error)) throw refusalError(hub.address, error);
      isRegistered = false; // A hub that was restarted may not know the manifest any more.
      absence.goOn(error);
      backoff.streamEnded(undefined);
      waitMs = backoff.nextMs();
    }
    await pause(waitMs, undefined, { signal }).catch(() => {});
  }
}
