import {
  GetTenantResponseSchema,
  StartTenantResponseSchema,
  StopTenantResponseSchema,
  type Tenant,
  TenantSchema,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { fleetRefusal } from "../../agents/accept.ts";
import { available } from "../../ports/available.ts";
import type { Caller } from "../../ports/caller.ts";
import { HubError } from "../../ports/hub-error.ts";
import type { HubContext } from "../context.ts";
import type { Hub } from "../hub.ts";

type TenantCalls = Pick<Hub, "stopTenant" | "startTenant" | "getTenant">;

/** The kill switch of a tenant. */
export function tenantCalls({ engine }: HubContext): TenantCalls {
  const tenantOf = (tenantId: string): Tenant => {
    const { halt } = engine.fleet(tenantId);
    return create(TenantSchema, {
      tenantId,
      stopped: halt !== undefined,
      ...(halt && { reason: halt.reason, stoppedBy: halt.by, stoppedAt: timestampFromMs(halt.atMs) }),
    });
  };
  const submit = async (kind: "stop" | "start", { tenantId, id, kind: who }: Caller, reason: string) => {
    if (who === "agent") throw notForAgents();
    const problem = await available(engine.submitFleet(tenantId, { kind, by: id, reason }));
    if (problem) throw fleetRefusal(problem);
    return tenantOf(tenantId);
  };
  return {
    stopTenant: async (caller, { reason }) =>
      create(StopTenantResponseSchema, { tenant: await submit("stop", caller, reason) }),
    startTenant: async (caller, { reason }) =>
      create(StartTenantResponseSchema, { tenant: await submit("start", caller, reason) }),
    getTenant: async ({ tenantId }) => create(GetTenantResponseSchema, { tenant: tenantOf(tenantId) }),
  };
}

function notForAgents(): HubError {
  return new HubError("denied", "BATON-PIPELINE-004", "an agent cannot stop or start a tenant", {
    fix: "use a person's key",
  });
}
