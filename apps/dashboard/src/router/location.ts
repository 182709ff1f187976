import { useSyncExternalStore } from "react";

/** The address is the state of the page, so that every view has a link. */
const watchers = new Set<() => void>();

window.addEventListener("popstate", notify);

function notify(): void {
  for (const watcher of watchers) watcher();
}

export function navigate(to: string, { replace = false }: { replace?: boolean } = {}): void {
  if (to === window.location.pathname + window.location.search) return;
  if (replace) window.history.replaceState(null, "", to);
  else window.history.pushState(null, "", to);
  if (!replace) window.scrollTo(0, 0);
  notify();
}

function subscribe(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export function usePath(): string {
  return useSyncExternalStore(subscribe, () => window.location.pathname);
}

export function useQuery(): URLSearchParams {
  const search = useSyncExternalStore(subscribe, () => window.location.search);
  return new URLSearchParams(search);
}

/** Changes the query without a history entry. Empty values are removed. */
export function setQuery(changes: Readonly<Record<string, string>>): void {
  const query = new URLSearchParams(window.location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  navigate(window.location.pathname + (text === "" ? "" : `?${text}`), { replace: true });
}
