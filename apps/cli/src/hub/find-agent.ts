import type { AgentInstance } from "@baton/contract/forms";
import { CliError } from "../errors/cli-error.ts";
import { limits } from "../limits.ts";
import type { Hub } from "./connect-hub.ts";
import { ambiguous } from "./find-pipeline.ts";
import { type Listed, readPages } from "./read-pages.ts";

export interface AgentName {
  readonly packId: string;
  readonly instanceId: string;
}

/** The instance that is meant by `PACK/INSTANCE`, by its id alone, or by the beginning of either. */
export async function findAgent(hub: Hub, given: string, signal: AbortSignal): Promise<AgentName> {
  const { rows } = await listAgents(hub, { most: limits.listRows, filter: "" }, signal);
  const names = rows.map(nameOf);
  const exact = names.filter((name) => full(name) === given || name.instanceId === given);
  const fitting =
    exact.length > 0 || given.length < limits.idPrefixLength
      ? exact
      : names.filter((name) => full(name).startsWith(given) || name.instanceId.startsWith(given));
  if (fitting.length > 1) throw ambiguous(given, fitting.map(full));
  const [only] = fitting;
  if (only !== undefined) return only;
  throw new CliError("BATON-CLI-004", `no agent is called "${given}"`, {
    fix: "baton agent list shows them; name one as PACK/INSTANCE",
  });
}

export function listAgents(
  hub: Hub,
  { most, filter }: { readonly most: number; readonly filter: string },
  signal: AbortSignal,
): Promise<Listed<AgentInstance>> {
  return readPages(most, async (place) => {
    // In the order of the hub: who is gone comes last.
    const { agents, nextPageToken } = await hub.registry.listAgents({ ...place, filter }, { signal });
    return { rows: agents, nextPageToken };
  });
}

export function nameOf({ heartbeat, manifest }: AgentInstance): AgentName {
  return {
    packId: heartbeat?.packId || manifest?.packId || "",
    instanceId: heartbeat?.instanceId ?? "",
  };
}

export function full({ packId, instanceId }: AgentName): string {
  return `${packId}/${instanceId}`;
}
