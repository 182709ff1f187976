import { type RefObject, useRef } from "react";
import { useShortcut } from "../../router/keys.ts";

/** `j` and `k` go from one row's link to the next; Enter follows it, as it does everywhere. */
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
  useShortcut("k", "Row before", () => move(-1));
  return list;
}
