import { type Escalation, RiskTier } from "@baton/contract/messages";
import { orchestrator } from "./client.ts";
import { type Listed, quoted, readPages } from "./read-pages.ts";

/** The largest number of questions to read. */
export const maxWaiting = 500;

/** The highest risk first. Unstated risk comes after normal risk. */
export const riskOrder = [RiskTier.CRITICAL, RiskTier.NORMAL, RiskTier.UNSPECIFIED, RiskTier.LOW] as const;

/** Open questions of one run or of all. Beyond the limit, the highest risks take precedence over age. */
export async function readWaiting(signal: AbortSignal, pipelineId = ""): Promise<Listed<Escalation>> {
  const open = ["resolved = false", pipelineId && `pipeline_id = ${quoted(pipelineId)}`]
    .filter(Boolean)
    .join(" AND ");
  const read = (filter: string, max: number) =>
    readPages(max, async (place) => {
      const { escalations, nextPageToken } = await orchestrator.listEscalations(
        { filter, ...place },
        { signal },
      );
      return { rows: escalations, nextPageToken };
    });
  const listed = await read(open, maxWaiting);
  if (!listed.hasMore) return listed;
  const rows: Escalation[] = [];
  for (const tier of riskOrder) {
    if (rows.length === maxWaiting) break;
    const filter = `${open} AND risk_tier = RISK_TIER_${RiskTier[tier]}`;
    rows.push(...(await read(filter, maxWaiting - rows.length)).rows);
  }
  return { rows, hasMore: true };
}
