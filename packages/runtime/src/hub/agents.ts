import {
  type AgentInstance,
  AgentInstanceSchema,
  encodeBinary,
  HealthStatus,
  type ListAgentsRequest,
} from "@baton/contract";
import { type FleetState, type InstanceInfo, listInstances, packBreaker, type Redactor } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { cutPage, parseList } from "../query/page.ts";
import { selectRows } from "../stores/memory/select-rows.ts";
import { type AgentField, agentList } from "./lists.ts";

interface AgentRow {
  readonly tenantId: string;
  readonly packId: string;
  readonly instanceId: string;
  readonly packVersion: string;
  readonly health: string;
  readonly attached: boolean;
  readonly gone: boolean;
  readonly name: string;
  readonly info: InstanceInfo;
}

/** What the streams say of an instance, which the fleet hears of later. */
export interface Streams {
  isAttached(info: InstanceInfo): boolean;
  asSeen(info: InstanceInfo): InstanceInfo;
  /** How a command that the hub starts is kept apart; empty for others. */
  readonly sandboxOf: (info: Pick<InstanceInfo, "packId" | "instanceId">) => string;
}

export function listAgents(
  tenantId: string,
  request: ListAgentsRequest,
  fleet: FleetState,
  nowMs: number,
  { isAttached, asSeen, sandboxOf }: Streams,
  redactor: Redactor,
): { readonly agents: AgentInstance[]; readonly nextPageToken: string } {
  const query = parseList(tenantId, request, agentList);
  const rows = Iterator.from(listInstances(fleet, nowMs)).map((known): AgentRow => {
    const info = asSeen(known);
    const { said, health } = info;
    // Rows are compared by what is shown: the token of a page says where it ended.
    const [packId, instanceId] = [info.packId, info.instanceId].map(
      (name) => redactor.redactText(name).text,
    ) as [string, string];
    return {
      tenantId,
      packId,
      instanceId,
      packVersion: said?.packVersion ?? "",
      health,
      attached: isAttached(info),
      gone: info.presence === "GONE",
      name: `${packId}/${instanceId}`,
      info,
    };
  });
  const readField = (row: AgentRow, field: AgentField) => row[field];
  const shown = selectRows(rows, query, readField).map((row) => {
    const agent = agentView(row.info, row.attached, fleet, nowMs, sandboxOf(row.info));
    return { ...row, agent, bytes: encodeBinary(AgentInstanceSchema, agent).length };
  });
  const page = cutPage<AgentField, (typeof shown)[number]>(shown, query, request, agentList, {
    readField,
    bytesOf: ({ bytes }) => bytes,
  });
  return { agents: page.rows.map(({ agent }) => agent), nextPageToken: page.nextPageToken };
}

/** An instance as the contract shows it. */
export function agentView(
  info: InstanceInfo,
  attached: boolean,
  fleet: FleetState,
  nowMs: number,
  sandbox: string,
): AgentInstance {
  const { packId, instanceId, said, conduct, leaseUntilMs, goneSinceMs, health, activeDispatches } = info;
  const manifest = said && fleet.packs.get(packId)?.manifests.get(said.packVersion);
  return create(AgentInstanceSchema, {
    ...(manifest && { manifest }),
    heartbeat: {
      packId,
      instanceId,
      packVersion: said?.packVersion ?? "",
      health: {
        status: HealthStatus[health],
        consecutiveInvalidResults: conduct.consecutiveInvalidResults,
        ...(said && {
          avgLatency1m: durationFromMs(said.vitals.avgLatencyMs),
          reason: said.vitals.reason ?? "",
          degradedTools: [...said.degradedTools],
        }),
      },
      capacity: { activeTasks: activeDispatches, maxTasks: said ? info.maxTasks : 0 },
      availableTools: [...(said?.availableTools ?? [])],
    },
    ...(leaseUntilMs > 0 && { leaseExpiresAt: timestampFromMs(leaseUntilMs) }),
    ...(goneSinceMs !== undefined && { goneSince: timestampFromMs(goneSinceMs) }),
    attached,
    quarantineReason: conduct.standing === "quarantined" ? conduct.lastError || "invalid results" : "",
    breakerState: packBreaker(fleet, packId, nowMs),
    disprovedClaims: conduct.disprovedClaims,
    consecutiveDisprovedClaims: conduct.consecutiveDisprovedClaims,
    packDisprovedClaims: info.packDisprovedClaims,
    attachedBy: said?.by ?? "",
    sandbox,
  });
}
