import type { AgentManifest } from "@baton/contract";
import type { FleetProblem } from "@baton/kernel";
import type { Engine } from "../engine/engine.ts";
import { available } from "../ports/available.ts";

/** A refused pack, and why. */
export interface RefusedPack {
  /** Its index in the list. */
  readonly place: number;
  readonly problem: FleetProblem;
}

/**
 * Registers packs for tenants, all or none: a version of a pack is immutable (A §3.1), so one that was registered beside
 * refused ones could never be changed. All are checked first, for every tenant; then each tenant gets them in one
 * transaction. If the store fails in between, the same call completes it.
 */
export async function registerPacks(
  engine: Pick<Engine, "submitFleet" | "fleetRefusal">,
  manifests: readonly AgentManifest[],
  tenants: readonly string[],
): Promise<readonly RefusedPack[]> {
  const refused = new Map<number, FleetProblem>();
  for (const tenantId of tenants) {
    for (const [place, manifest] of manifests.entries()) {
      const problem = engine.fleetRefusal(tenantId, { kind: "register", manifest });
      if (problem && !refused.has(place)) refused.set(place, problem);
    }
    const together = refused.size === 0 && engine.fleetRefusal(tenantId, { kind: "register-all", manifests });
    if (together) refused.set(placeOf(together), together);
  }
  if (refused.size > 0) return [...refused].map(([place, problem]) => ({ place, problem }));
  for (const tenantId of tenants) {
    // Another registration may have come in between.
    const problem = await available(engine.submitFleet(tenantId, { kind: "register-all", manifests }));
    if (problem) return [{ place: placeOf(problem), problem }];
  }
  return [];
}

function placeOf({ at }: FleetProblem): number {
  return Number(/^manifests\[(\d+)\]/.exec(at)?.[1] ?? 0);
}
