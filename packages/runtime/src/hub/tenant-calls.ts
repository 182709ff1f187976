import {
  GetTenantResponseSchema,
  StartTenantResponseSchema,
  StopTenantResponseSchema,
  type Tenant,
  TenantSchema,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { fleetRefusal } from "../agents/agent-desk.ts";
import { available, type HubContext } from "./context.ts";
import type { Caller, Hub } from "./hub.ts";
import { HubError } from "./hub-error.ts";

type TenantCalls = Pick<Hub, "stopTenant" | "startTenant" | "getTenant">;

/** The kill switch of a tenant. */
export function tenantCalls({ driver }: HubContext): TenantCalls {
  const tenantOf = (tenantId: string): Tenant => {
    const { halt } = driver.fleet(tenantId);
    return create(TenantSchema, {
      tenantId,
      stopped: halt !== undefined,
      ...(halt && { reason: halt.reason, stoppedBy: halt.by, stoppedAt: timestampFromMs(halt.atMs) }),
    });
  };
  const turn = async (kind: "stop" | "start", { tenantId, id, kind: who }: Caller, reason: string) => {
    if (who === "agent") throw notAnAgents();
    const problem = await available(driver.askFleet(tenantId, { kind, by: id, reason }));
    if (problem) throw fleetRefusal(problem);
    return tenantOf(tenantId);
  };
  return {
    stopTenant: async (caller, { reason }) =>
      create(StopTenantResponseSchema, { tenant: await turn("stop", caller, reason) }),
    startTenant: async (caller, { reason }) =>
      create(StartTenantResponseSchema, { tenant: await turn("start", caller, reason) }),
    getTenant: async ({ tenantId }) => create(GetTenantResponseSchema, { tenant: tenantOf(tenantId) }),
  };
}

function notAnAgents(): HubError {
  return new HubError("denied", "BATON-PIPELINE-004", "an agent cannot stop or start a tenant", {
    fix: "let a person do it",
  });
}
