import type { Tenant } from "@baton/contract/messages";
import { useEffect, useState } from "react";
import { orchestrator } from "../hub/client.ts";
import { listen } from "../hub/connection.ts";
import { useSignIn } from "../hub/sign-in.ts";
import { tenantStopped } from "../hub/tenant.ts";
import { useStore } from "../store.ts";

/** Displayed while decisions need a sign-in that this tab does not have. */
export function ReadOnlyBanner() {
  const { isReadOnly, problem, command } = useSignIn();
  if (!isReadOnly) return null;
  return (
    <div className="notice asks read-only" role="status">
      <p>
        {problem === "" ? "" : `Sign-in failed: ${problem}. `}
        You can watch and start runs. To make decisions, open the address that <code>{command}</code> prints.
      </p>
    </div>
  );
}

/** Displayed while the tenant is stopped. The reason is read only then. */
export function TenantStoppedBanner() {
  const isStopped = useStore(tenantStopped);
  const [tenant, setTenant] = useState<Tenant>();
  useEffect(() => {
    const read = () =>
      orchestrator.getTenant({}).then(
        (answer) => {
          setTenant(answer.tenant);
          tenantStopped.set(answer.tenant?.stopped ?? false);
        },
        () => {}, // The connection state reports that the hub is unavailable.
      );
    if (isStopped) void read();
    return listen({ onChangeHint: ({ tenant: changed }) => changed && void read(), onCaughtUp: () => {} });
  }, [isStopped]);
  if (!isStopped) return null;
  return (
    <div className="notice bad" role="alert">
      <strong>All work is stopped{tenant?.stopped ? ` by ${tenant.stoppedBy}: ${tenant.reason}` : ""}</strong>
      <span>
        Nothing is dispatched, and runs are paused. To resume:{" "}
        <code>npx baton tenant start --reason "…"</code>
      </span>
    </div>
  );
}
