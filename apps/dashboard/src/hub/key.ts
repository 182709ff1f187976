/** The key of this tab. It is kept as long as the tab is open, and nowhere else. */
const name = "baton.key";

const listeners = new Set<() => void>();

export function readKey(): string {
  return sessionStorage.getItem(name) ?? "";
}

export function writeKey(key: string): void {
  if (key === "") sessionStorage.removeItem(name);
  else sessionStorage.setItem(name, key);
  for (const listener of listeners) listener();
}

export function onKeyChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function authorization(): Record<string, string> {
  const key = readKey();
  return key === "" ? {} : { authorization: `Bearer ${key}` };
}
