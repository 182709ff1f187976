import type { Stage } from "@baton/contract/forms";
import type { Hub } from "../hub/connect-hub.ts";
import { optionalAnswer } from "../hub/optional-answer.ts";
import { limits } from "../limits.ts";
import { agentName, listAgents, nameOf } from "./find-agent.ts";

/** Quarantined agents that had a stage or could take it: they are sent nothing until they are restored. */
export async function quarantinedAgentsFor(
  hub: Hub,
  { taskType, assignedPackId, assignedInstanceId }: Stage,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const asked = { max: limits.quarantinedAgents, filter: "health.status = HEALTH_STATUS_QUARANTINED" };
  const { rows } = (await optionalAnswer(listAgents(hub, asked, signal))) ?? { rows: [] };
  const had = agentName({ packId: assignedPackId, instanceId: assignedInstanceId });
  return rows
    .filter(
      (agent) => agentName(nameOf(agent)) === had || agent.manifest?.supportedTaskTypes.includes(taskType),
    )
    .map((agent) => agentName(nameOf(agent)));
}
