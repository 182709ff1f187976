import { type Allowance, dayOf, isLimited, limitsOfTenant, raisedOn } from "@baton/kernel";
import type { EngineSettings } from "../settings.ts";
import type { Fleets } from "./fleets.ts";
import type { TenantSpending } from "./tenant-spending.ts";

interface Parts {
  readonly settings: Pick<EngineSettings, "spendLimits">;
  readonly fleets: Fleets;
  readonly spending: TenantSpending;
}

/** What a tenant may spend and has spent; undefined without limits. */
export function allowanceOf(
  { settings, fleets, spending }: Parts,
  tenantId: string,
  nowMs: number,
): Allowance | undefined {
  const limits = limitsOfTenant(settings.spendLimits?.(), tenantId);
  if (!isLimited(limits)) return undefined;
  return spending.allowance(tenantId, limits, raisedOn(fleets.state(tenantId), dayOf(nowMs)), nowMs);
}
