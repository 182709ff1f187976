/** Whether the tenant is stopped, as the hub says with the headers of its stream. */
let isStopped = false;
const watchers = new Set<() => void>();

export function readTenant(headers: Headers): void {
  setStopped(headers.get("baton-tenant") === "stopped");
}

export function setStopped(now: boolean): void {
  if (now === isStopped) return;
  isStopped = now;
  for (const watcher of watchers) watcher();
}

export function isTenantStopped(): boolean {
  return isStopped;
}

export function onTenantChange(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
