import { Store } from "../store.ts";

/** Whether the tenant is stopped, as the headers of the event stream say. */
export const tenantStopped = new Store(false);

export function readTenant(headers: Headers): void {
  tenantStopped.set(headers.get("baton-tenant") === "stopped");
}
