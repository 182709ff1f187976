import type { AgentInstance } from "@baton/contract/forms";
import { CliError } from "../errors/cli-error.ts";
import type { Hub } from "../hub/connect-hub.ts";
import { all, quote } from "../hub/filter.ts";
import { type Listed, readPages } from "../hub/read-pages.ts";
import { limits } from "../limits.ts";
import { ambiguous } from "./find-pipeline.ts";

export interface AgentName {
  readonly packId: string;
  readonly instanceId: string;
}

/** Finds an instance by `PACK/INSTANCE`, by its id, or by the beginning of either. */
export async function findAgent(hub: Hub, given: string, signal: AbortSignal): Promise<AgentName> {
  const { rows } = await listAgents(hub, { max: limits.listRows, filter: "" }, signal);
  const names = rows.map(nameOf);
  const exact = names.filter((name) => agentName(name) === given || name.instanceId === given);
  const fitting =
    exact.length > 0 || given.length < limits.idPrefixLength
      ? exact
      : names.filter((name) => agentName(name).startsWith(given) || name.instanceId.startsWith(given));
  if (fitting.length > 1) throw ambiguous(given, fitting.map(agentName));
  const [only] = fitting;
  if (only !== undefined) return only;
  throw noAgent(given);
}

function noAgent(given: string): CliError {
  return new CliError("BATON-CLI-004", `no agent is called "${given}"`, {
    fix: "baton agent list shows them; name one as PACK/INSTANCE",
  });
}

interface AgentQuery {
  readonly max: number;
  readonly filter: string;
  /** Ended attempts per agent. */
  readonly recentAttempts?: number;
}

/** One instance with its recent attempts. */
export async function readAgent(hub: Hub, name: AgentName, signal: AbortSignal): Promise<AgentInstance> {
  const filter = all(`pack_id = ${quote(name.packId)}`, `instance_id = ${quote(name.instanceId)}`);
  const { rows } = await listAgents(hub, { max: 1, filter, recentAttempts: limits.recentAttempts }, signal);
  const [only] = rows;
  if (only === undefined) throw noAgent(agentName(name));
  return only;
}

export function listAgents(
  hub: Hub,
  { max, filter, recentAttempts = 0 }: AgentQuery,
  signal: AbortSignal,
): Promise<Listed<AgentInstance>> {
  return readPages(max, async (page) => {
    // In the order of the hub: disconnected agents come last.
    const { agents, nextPageToken } = await hub.registry.listAgents(
      { ...page, filter, recentAttempts },
      { signal },
    );
    return { rows: agents, nextPageToken };
  });
}

export function nameOf({ heartbeat, manifest }: AgentInstance): AgentName {
  return {
    packId: heartbeat?.packId || manifest?.packId || "",
    instanceId: heartbeat?.instanceId ?? "",
  };
}

export function agentName({ packId, instanceId }: AgentName): string {
  return `${packId}/${instanceId}`;
}
