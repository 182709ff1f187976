import {
  ListAgentsResponseSchema,
  RegisterAgentResponseSchema,
  RestoreAgentResponseSchema,
  SendHeartbeatResponseSchema,
} from "@baton/contract";
import { type InstanceInfo, instanceInfo, withoutStream } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { fleetRefusal } from "../../agents/accept.ts";
import { available } from "../../ports/available.ts";
import { type HubContext, refuseOverload } from "../context.ts";
import type { Hub } from "../hub.ts";
import { agentView, listAgents, type Streams } from "./agents.ts";

type AgentCalls = Pick<
  Hub,
  "registerAgent" | "sendHeartbeat" | "listAgents" | "restoreAgent" | "attachAgent"
>;

export function agentCalls(context: HubContext): AgentCalls {
  const { engine, attached } = context;
  const listing = context.filter.at("listing");
  const asSeen = (tenantId: string, info: InstanceInfo) => {
    const brokeAtMs = attached.brokeAtMs({ tenantId, ...info });
    return brokeAtMs === undefined ? info : withoutStream(info, brokeAtMs);
  };
  return {
    async registerAgent({ tenantId }, { manifest }) {
      if (!manifest) throw new Error("a valid request has a manifest");
      const versions = engine.fleet(tenantId).packs.get(manifest.packId)?.manifests;
      const alreadyRegistered = versions?.has(manifest.packVersion) ?? false;
      const problem = await available(engine.submitFleet(tenantId, { kind: "register", manifest }));
      if (problem) throw fleetRefusal(problem);
      return create(RegisterAgentResponseSchema, { alreadyRegistered });
    },

    async sendHeartbeat(caller, { heartbeat }) {
      const { tenantId, keyId: by } = caller;
      if (!heartbeat) throw new Error("a valid request has a heartbeat");
      attached.refuseOtherKey(caller, heartbeat);
      context.refuseCommandInstance({ tenantId, ...heartbeat });
      const problem = await available(engine.submitFleet(tenantId, { kind: "heartbeat", heartbeat, by }));
      if (problem) throw fleetRefusal(problem);
      await context.onHeartbeat(tenantId, heartbeat);
      const { packId, instanceId } = heartbeat;
      const info = instanceInfo(engine.fleet(tenantId), packId, instanceId, engine.nowMs);
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
      const page = listAgents(tenantId, request, engine.fleet(tenantId), engine.nowMs, streams, listing);
      return create(ListAgentsResponseSchema, page);
    },

    async restoreAgent({ tenantId, id }, { packId, instanceId, reason }) {
      const problem = await available(
        engine.submitFleet(tenantId, { kind: "restore", packId, instanceId, by: id, reason }),
      );
      if (problem) throw fleetRefusal(problem);
      const fleet = engine.fleet(tenantId);
      const info = instanceInfo(fleet, packId, instanceId, engine.nowMs);
      const isAttached = attached.isAttached({ tenantId, packId, instanceId });
      const sandbox = context.sandboxOf({ tenantId, packId, instanceId });
      return create(RestoreAgentResponseSchema, {
        ...(info && { agent: agentView(asSeen(tenantId, info), isAttached, fleet, engine.nowMs, sandbox) }),
      });
    },

    attachAgent(caller, requests, signal) {
      refuseOverload(context);
      return attached.attach(caller, requests, signal);
    },
  };
}
