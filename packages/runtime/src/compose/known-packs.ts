import type { AgentManifest } from "@baton/contract";
import { decideFleet, emptyFleet, evolveFleet, type FleetState } from "@baton/kernel";
import { readFleetRecord } from "../journal/codec.ts";
import type { Store } from "../ports/store.ts";
import type { RefusedPack } from "./register-packs.ts";

/** The packs that a hub with this store would refuse, because it knows them with other content (DIS-01). */
export async function refusedByStore(
  store: Pick<Store, "fleet">,
  manifests: readonly AgentManifest[],
  orchestratorVersion: string,
): Promise<readonly RefusedPack[]> {
  const fleets = new Map<string, FleetState>();
  for await (const rows of store.fleet()) {
    for (const { tenantId, text } of rows) {
      const fleet = fleets.get(tenantId) ?? emptyFleet();
      fleets.set(tenantId, fleet);
      evolveFleet(fleet, readFleetRecord(text));
    }
  }
  return manifests.flatMap((manifest, place) => {
    for (const fleet of fleets.values()) {
      const { problem } = decideFleet(
        fleet,
        { kind: "register", manifest },
        { nowMs: 0, orchestratorVersion },
      );
      if (problem) return [{ place, problem }];
    }
    return [];
  });
}
