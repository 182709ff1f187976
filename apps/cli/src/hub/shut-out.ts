import type { Stage } from "@baton/contract/forms";
import { limits } from "../limits.ts";
import type { Hub } from "./connect-hub.ts";
import { full, listAgents, nameOf } from "./find-agent.ts";
import { ifThere } from "./if-there.ts";

/** Agents that are shut out and could take a stage, or had it: nothing is sent to them before they are let in again. */
export async function shutOutOf(
  hub: Hub,
  { taskType, assignedPackId, assignedInstanceId }: Stage,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const asked = { most: limits.shownShutOut, filter: "health.status = HEALTH_STATUS_QUARANTINED" };
  const { rows } = (await ifThere(listAgents(hub, asked, signal))) ?? { rows: [] };
  const had = full({ packId: assignedPackId, instanceId: assignedInstanceId });
  return rows
    .filter((agent) => full(nameOf(agent)) === had || agent.manifest?.supportedTaskTypes.includes(taskType))
    .map((agent) => full(nameOf(agent)));
}
