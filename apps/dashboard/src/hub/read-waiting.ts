import { type Escalation, RiskTier } from "@baton/contract/messages";
import { orchestrator } from "./client.ts";
import { quoted } from "./quoted.ts";
import { type Listed, readPages } from "./read-pages.ts";

/** So many questions are read at the most; more would be no help to anybody who answers them. */
export const mostWaiting = 500;

/** What can do most damage first. A task whose risk nobody stated comes after those of which it is known. */
export const riskOrder = [RiskTier.CRITICAL, RiskTier.NORMAL, RiskTier.UNSPECIFIED, RiskTier.LOW] as const;

/** What waits for a person, in one run or in all. Of more than can be shown it is what can do most damage, however late it came. */
export async function readWaiting(signal: AbortSignal, pipelineId = ""): Promise<Listed<Escalation>> {
  const open = ["resolved = false", pipelineId && `pipeline_id = ${quoted(pipelineId)}`]
    .filter(Boolean)
    .join(" AND ");
  const read = (filter: string, most: number) =>
    readPages(most, async (place) => {
      const { escalations, nextPageToken } = await orchestrator.listEscalations(
        { filter, ...place },
        { signal },
      );
      return { rows: escalations, nextPageToken };
    });
  const listed = await read(open, mostWaiting);
  if (!listed.hasMore) return listed;
  const rows: Escalation[] = [];
  for (const tier of riskOrder) {
    if (rows.length === mostWaiting) break;
    const filter = `${open} AND risk_tier = RISK_TIER_${RiskTier[tier]}`;
    rows.push(...(await read(filter, mostWaiting - rows.length)).rows);
  }
  return { rows, hasMore: true };
}
