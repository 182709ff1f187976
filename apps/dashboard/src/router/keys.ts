import { type RefObject, useEffect, useRef } from "react";

/** A key, or two in sequence ("g r"). */
export interface Shortcut {
  readonly keys: string;
  readonly does: string;
  readonly run: () => void;
}

const active = new Map<string, Shortcut[]>();
const secondKeyMs = 1_200;
let first: { readonly key: string; readonly atMs: number } | undefined;

export function activeShortcuts(): readonly Shortcut[] {
  return [...active.values()].flatMap((list) => list.at(-1) ?? []);
}

export function useShortcut(keys: string, does: string, run: () => void): void {
  useEffect(() => {
    const shortcut = { keys, does, run };
    active.set(keys, [...(active.get(keys) ?? []), shortcut]);
    return () => {
      const rest = (active.get(keys) ?? []).filter((one) => one !== shortcut);
      if (rest.length > 0) active.set(keys, rest);
      else active.delete(keys);
    };
  });
}

export function listenForShortcuts(): void {
  window.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.key !== "Escape" && isTyping(event.target)) return;
    const now = performance.now();
    const pair = first && now - first.atMs < secondKeyMs ? `${first.key} ${event.key}` : "";
    const found = active.get(pair)?.at(-1) ?? active.get(event.key)?.at(-1);
    first = found ? undefined : { key: event.key, atMs: now };
    if (!found) return;
    event.preventDefault();
    found.run();
  });
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (
    target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  )
    return true;
  return target instanceof HTMLInputElement && !["checkbox", "radio", "button"].includes(target.type);
}

/** `j` and `k` move the focus between the rows of a list. */
export function useRowKeys<List extends HTMLElement = HTMLUListElement>(): RefObject<List | null> {
  const list = useRef<List>(null);
  const move = (step: number) => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>("[data-row]") ?? [])];
    const at = rows.findIndex((row) => row.matches(":focus"));
    const next = rows[Math.max(0, Math.min(rows.length - 1, at + step))];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
  };
  useShortcut("j", "Next row", () => move(1));
  useShortcut("k", "Previous row", () => move(-1));
  return list;
}
