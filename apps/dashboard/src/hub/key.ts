import { Store } from "../store.ts";

/** The key or session of this tab. It is stored until the tab closes. */
const name = "baton.key";

export const keyStore = new Store(sessionStorage.getItem(name) ?? "");

export const onKeyChange = keyStore.subscribe;

export function readKey(): string {
  return keyStore.get();
}

export function writeKey(key: string): void {
  if (key === "") sessionStorage.removeItem(name);
  else sessionStorage.setItem(name, key);
  keyStore.set(key);
}

/** Whether the credential is the session or the operator token of a hub without keys. */
export function isOperator(): boolean {
  return /^baton-(session|operator)_/.test(readKey());
}

/** Drops an expired session, after which the page is read-only. A refused key stays until its owner replaces it. */
export function dropIfOperator(): boolean {
  if (!isOperator()) return false;
  writeKey("");
  return true;
}

export function authorization(): Record<string, string> {
  const key = readKey();
  return key === "" ? {} : { authorization: `Bearer ${key}` };
}
