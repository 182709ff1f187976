import type { Tenant } from "@baton/contract/messages";
import { useEffect, useState, useSyncExternalStore } from "react";
import { orchestrator } from "../hub/client.ts";
import { listen } from "../hub/connection.ts";
import { isTenantStopped, onTenantChange, setStopped } from "../hub/tenant.ts";

/** Shown while the tenant is stopped. Why is asked for only then. */
export function TenantStopped() {
  const isStopped = useSyncExternalStore(onTenantChange, isTenantStopped);
  const [tenant, setTenant] = useState<Tenant>();
  useEffect(() => {
    const read = () =>
      orchestrator.getTenant({}).then(
        (answer) => {
          setTenant(answer.tenant);
          setStopped(answer.tenant?.stopped ?? false);
        },
        () => {}, // The hub is away; the page says so elsewhere.
      );
    if (isStopped) void read();
    return listen({ onChangeHint: ({ tenant: changed }) => changed && void read(), onCaughtUp: () => {} });
  }, [isStopped]);
  if (!isStopped) return null;
  return (
    <div className="notice bad" role="alert">
      <strong>All work is stopped{tenant?.stopped ? ` by ${tenant.stoppedBy}: ${tenant.reason}` : ""}</strong>
      <span>
        Nothing is dispatched, and runs are paused. To go on: <code>npx baton tenant start --reason "…"</code>
      </span>
    </div>
  );
}
