import { type Escalation, RiskTier } from "@baton/contract/forms";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { Hub } from "../hub/connect-hub.ts";
import { all } from "../hub/filter.ts";
import type { Listed } from "../hub/read-pages.ts";
import { limits } from "../limits.ts";
import { listEscalations } from "./list-escalations.ts";

/** The order of the page: the highest risk first. */
const order = [RiskTier.CRITICAL, RiskTier.NORMAL, RiskTier.UNSPECIFIED, RiskTier.LOW] as const;

/**
 * Questions by risk, then by age. Few are read at once and sorted here; for many the hub is queried by risk, so that the limit
 * does not hide a recent critical question behind older ones.
 */
export async function listMostUrgent(
  hub: Hub,
  { max, filter }: { readonly max: number; readonly filter: string },
  signal: AbortSignal,
): Promise<Listed<Escalation>> {
  const few = await listEscalations(hub, { max: limits.sortedQuestions, filter }, signal);
  if (!few.more) {
    const rows = few.rows.toSorted(byRisk);
    return { rows: rows.slice(0, max), more: rows.length > max };
  }
  const rows: Escalation[] = [];
  for (const tier of order) {
    // One row beyond the limit shows whether there are more.
    const asked = {
      max: max + 1 - rows.length,
      filter: all(filter, `risk_tier = RISK_TIER_${RiskTier[tier]}`),
    };
    const listed = await listEscalations(hub, asked, signal);
    rows.push(...listed.rows);
    if (listed.more || rows.length > max) return { rows: rows.slice(0, max), more: true };
  }
  return { rows, more: false };
}

function byRisk(a: Escalation, b: Escalation): number {
  const age = (one: Escalation) => (one.raisedAt === undefined ? 0 : timestampMs(one.raisedAt));
  return order.indexOf(a.riskTier) - order.indexOf(b.riskTier) || age(a) - age(b);
}
