import {
  ListAgentsResponseSchema,
  RegisterAgentResponseSchema,
  RestoreAgentResponseSchema,
  SendHeartbeatResponseSchema,
} from "@baton/contract";
import { type InstanceInfo, instanceInfo, withoutStream } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { fleetRefusal } from "../agents/agent-desk.ts";
import { agentView, listAgents, type Streams } from "./agents.ts";
import { available, type HubContext, refuseOverload } from "./context.ts";
import type { Hub } from "./hub.ts";

type AgentCalls = Pick<
  Hub,
  "registerAgent" | "sendHeartbeat" | "listAgents" | "restoreAgent" | "attachAgent"
>;

export function agentCalls(context: HubContext): AgentCalls {
  const { driver, attached } = context;
  const listing = context.filter.at("listing");
  const asSeen = (tenantId: string, info: InstanceInfo) => {
    const brokeAtMs = attached.brokeAtMs({ tenantId, ...info });
    return brokeAtMs === undefined ? info : withoutStream(info, brokeAtMs);
  };
  return {
    async registerAgent({ tenantId }, { manifest }) {
      if (!manifest) throw new Error("a valid request has a manifest");
      const versions = driver.fleet(tenantId).packs.get(manifest.packId)?.manifests;
      const alreadyRegistered = versions?.has(manifest.packVersion) ?? false;
      const problem = await available(driver.askFleet(tenantId, { kind: "register", manifest }));
      if (problem) throw fleetRefusal(problem);
      return create(RegisterAgentResponseSchema, { alreadyRegistered });
    },

    async sendHeartbeat({ tenantId, keyId: by }, { heartbeat }) {
      if (!heartbeat) throw new Error("a valid request has a heartbeat");
      const problem = await available(driver.askFleet(tenantId, { kind: "heartbeat", heartbeat, by }));
      if (problem) throw fleetRefusal(problem);
      await context.onHeartbeat(tenantId, heartbeat);
      const { packId, instanceId } = heartbeat;
      const info = instanceInfo(driver.fleet(tenantId), packId, instanceId, driver.nowMs);
      return create(SendHeartbeatResponseSchema, {
        ...(info && { leaseExpiresAt: timestampFromMs(info.leaseUntilMs) }),
      });
    },

    async listAgents({ tenantId }, request) {
      const streams: Streams = {
        isAttached: (info) => attached.isAttached({ tenantId, ...info }),
        asSeen: (info) => asSeen(tenantId, info),
        sandboxOf: (info) => context.sandboxOf({ tenantId, ...info }),
      };
      const page = listAgents(tenantId, request, driver.fleet(tenantId), driver.nowMs, streams, listing);
      return create(ListAgentsResponseSchema, page);
    },

    async restoreAgent({ tenantId, id }, { packId, instanceId, reason }) {
      const problem = await available(
        driver.askFleet(tenantId, { kind: "restore", packId, instanceId, by: id, reason }),
      );
      if (problem) throw fleetRefusal(problem);
      const fleet = driver.fleet(tenantId);
      const info = instanceInfo(fleet, packId, instanceId, driver.nowMs);
      const isAttached = attached.isAttached({ tenantId, packId, instanceId });
      const sandbox = context.sandboxOf({ tenantId, packId, instanceId });
      return create(RestoreAgentResponseSchema, {
        ...(info && { agent: agentView(asSeen(tenantId, info), isAttached, fleet, driver.nowMs, sandbox) }),
      });
    },

    attachAgent(caller, requests, signal) {
      refuseOverload(context);
      return attached.attach(caller, requests, signal);
    },
  };
}
