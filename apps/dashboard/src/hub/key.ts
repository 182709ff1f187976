/** The key of this tab, or its session on a hub without keys. It is kept as long as the tab is open, and nowhere else. */
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

/** Whether it is a credential of a hub without keys: a session or the operator token. */
export function isOperator(): boolean {
  return /^baton-(session|operator)_/.test(readKey());
}

/** A session ends, and then the page can be watched without; a key that is refused is for its holder to replace. */
export function dropIfOperator(): boolean {
  if (!isOperator()) return false;
  writeKey("");
  return true;
}

export function onKeyChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function authorization(): Record<string, string> {
  const key = readKey();
  return key === "" ? {} : { authorization: `Bearer ${key}` };
}
