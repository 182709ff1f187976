import {
  type AgentInstance,
  AgentInstanceSchema,
  encodeBinary,
  HealthStatus,
  type ListAgentsRequest,
} from "@baton/contract";
import {
  type FleetState,
  type InstanceInfo,
  instanceWork,
  listInstances,
  packBreaker,
  type Redactor,
} from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { cutPage, parseList } from "../../query/page.ts";
import { selectRows } from "../../query/select-rows.ts";
import { type AgentField, agentList } from "../lists.ts";
import { agentWork } from "./agent-work.ts";

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

/** The state of connections, which the fleet learns later. */
export interface Streams {
  isAttached(info: InstanceInfo): boolean;
  asSeen(info: InstanceInfo): InstanceInfo;
  /** The sandbox of a command agent; empty for others. */
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
    const { lastReport: report, health } = info;
    // Rows are compared by redacted values, because page tokens contain them.
    const [packId, instanceId] = [info.packId, info.instanceId].map(
      (name) => redactor.redactText(name).text,
    ) as [string, string];
    return {
      tenantId,
      packId,
      instanceId,
      packVersion: report?.packVersion ?? "",
      health,
      attached: isAttached(info),
      gone: info.presence === "GONE",
      name: `${packId}/${instanceId}`,
      info,
    };
  });
  const readField = (row: AgentRow, field: AgentField) => row[field];
  const visible = selectRows(rows, query, readField).map((row) => {
    const agent = agentView(
      row.info,
      row.attached,
      fleet,
      nowMs,
      sandboxOf(row.info),
      request.recentAttempts,
    );
    return { ...row, agent, bytes: encodeBinary(AgentInstanceSchema, agent).length };
  });
  const page = cutPage<AgentField, (typeof visible)[number]>(visible, query, request, agentList, {
    readField,
    bytesOf: ({ bytes }) => bytes,
  });
  return { agents: page.rows.map(({ agent }) => agent), nextPageToken: page.nextPageToken };
}

/** The contract's view of an instance. */
export function agentView(
  info: InstanceInfo,
  attached: boolean,
  fleet: FleetState,
  nowMs: number,
  sandbox: string,
  recentAttempts = 0,
): AgentInstance {
  const {
    packId,
    instanceId,
    lastReport: report,
    conduct,
    leaseUntilMs,
    goneSinceMs,
    health,
    activeDispatches,
  } = info;
  const work = instanceWork(fleet, packId, instanceId, nowMs);
  const manifest = report && fleet.packs.get(packId)?.manifests.get(report.packVersion);
  return create(AgentInstanceSchema, {
    ...(manifest && { manifest }),
    heartbeat: {
      packId,
      instanceId,
      packVersion: report?.packVersion ?? "",
      health: {
        status: HealthStatus[health],
        consecutiveInvalidResults: conduct.consecutiveInvalidResults,
        ...(report && {
          avgLatency1m: durationFromMs(report.vitals.avgLatencyMs),
          reason: report.vitals.reason ?? "",
          degradedTools: [...report.degradedTools],
        }),
      },
      capacity: { activeTasks: activeDispatches, maxTasks: report ? info.maxTasks : 0 },
      availableTools: [...(report?.availableTools ?? [])],
    },
    ...(leaseUntilMs > 0 && { leaseExpiresAt: timestampFromMs(leaseUntilMs) }),
    ...(goneSinceMs !== undefined && { goneSince: timestampFromMs(goneSinceMs) }),
    attached,
    quarantineReason: conduct.standing === "quarantined" ? conduct.lastError || "invalid results" : "",
    breakerState: packBreaker(fleet, packId, nowMs),
    disprovedClaims: conduct.disprovedClaims,
    consecutiveDisprovedClaims: conduct.consecutiveDisprovedClaims,
    packDisprovedClaims: info.packDisprovedClaims,
    attachedBy: report?.by ?? "",
    sandbox,
    ...(work && { work: agentWork(work, recentAttempts) }),
  });
}
