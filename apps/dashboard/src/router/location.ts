import { useSyncExternalStore } from "react";

/** The address of the page is its state: whatever is shown can be sent to somebody as a link. */
const watchers = new Set<() => void>();

window.addEventListener("popstate", tell);

function tell(): void {
  for (const watcher of watchers) watcher();
}

export function navigate(to: string, { replace = false }: { replace?: boolean } = {}): void {
  if (to === window.location.pathname + window.location.search) return;
  if (replace) window.history.replaceState(null, "", to);
  else window.history.pushState(null, "", to);
  if (!replace) window.scrollTo(0, 0);
  tell();
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

/** Changes what the address asks for, without another step in the history. Empty values go. */
export function setQuery(changes: Readonly<Record<string, string>>): void {
  const query = new URLSearchParams(window.location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  navigate(window.location.pathname + (text === "" ? "" : `?${text}`), { replace: true });
}
