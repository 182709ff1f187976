import { type Escalation, RiskTier } from "@baton/contract/forms";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { limits } from "../limits.ts";
import type { Hub } from "./connect-hub.ts";
import { all } from "./filter.ts";
import { listEscalations } from "./list-escalations.ts";
import type { Listed } from "./read-pages.ts";

/** As the page has them: what can do most damage first. */
const order = [RiskTier.CRITICAL, RiskTier.NORMAL, RiskTier.UNSPECIFIED, RiskTier.LOW] as const;

/**
 * The questions that can do most damage, of these the oldest, however many there are: few are read at once and sorted here;
 * of more the hub is asked risk by risk, so that one that came late is not behind a thousand that matter less.
 */
export async function readWorst(
  hub: Hub,
  { most, filter }: { readonly most: number; readonly filter: string },
  signal: AbortSignal,
): Promise<Listed<Escalation>> {
  const few = await listEscalations(hub, { most: limits.sortedQuestions, filter }, signal);
  if (!few.more) {
    const rows = few.rows.toSorted(byRisk);
    return { rows: rows.slice(0, most), more: rows.length > most };
  }
  const rows: Escalation[] = [];
  for (const tier of order) {
    // One more than asked for shows whether there are more.
    const asked = {
      most: most + 1 - rows.length,
      filter: all(filter, `risk_tier = RISK_TIER_${RiskTier[tier]}`),
    };
    const listed = await listEscalations(hub, asked, signal);
    rows.push(...listed.rows);
    if (listed.more || rows.length > most) return { rows: rows.slice(0, most), more: true };
  }
  return { rows, more: false };
}

function byRisk(a: Escalation, b: Escalation): number {
  const age = (one: Escalation) => (one.raisedAt === undefined ? 0 : timestampMs(one.raisedAt));
  return order.indexOf(a.riskTier) - order.indexOf(b.riskTier) || age(a) - age(b);
}
