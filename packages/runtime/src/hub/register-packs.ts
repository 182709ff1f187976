import type { AgentManifest } from "@baton/contract";
import type { FleetProblem } from "@baton/kernel";
import type { Driver } from "../driver/driver.ts";
import { available } from "./context.ts";

/** A pack that the hub does not take, and why. */
export interface RefusedPack {
  /** Its place in the list. */
  readonly place: number;
  readonly problem: FleetProblem;
}

/**
 * Makes packs known to tenants, all of them to all or none to any: one version of a pack is immutable (A §3.1), so what was
 * let in with others that were refused could never be changed again. Everything is asked first, of every tenant; then each
 * takes all of them in one transaction. Should the store fail in between, the same call completes it.
 */
export async function registerPacks(
  driver: Pick<Driver, "askFleet" | "whyNotByFleet">,
  manifests: readonly AgentManifest[],
  tenants: readonly string[],
): Promise<readonly RefusedPack[]> {
  const refused = new Map<number, FleetProblem>();
  for (const tenantId of tenants) {
    for (const [place, manifest] of manifests.entries()) {
      const problem = driver.whyNotByFleet(tenantId, { kind: "register", manifest });
      if (problem && !refused.has(place)) refused.set(place, problem);
    }
    const together =
      refused.size === 0 && driver.whyNotByFleet(tenantId, { kind: "register-all", manifests });
    if (together) refused.set(placeOf(together), together);
  }
  if (refused.size > 0) return [...refused].map(([place, problem]) => ({ place, problem }));
  for (const tenantId of tenants) {
    // Somebody may have registered something meanwhile.
    const problem = await available(driver.askFleet(tenantId, { kind: "register-all", manifests }));
    if (problem) return [{ place: placeOf(problem), problem }];
  }
  return [];
}

function placeOf({ at }: FleetProblem): number {
  return Number(/^manifests\[(\d+)\]/.exec(at)?.[1] ?? 0);
}
