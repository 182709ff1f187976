import { useSyncExternalStore } from "react";
import { Sign } from "../design/signs.tsx";
import { useShortcut } from "../router/keys.ts";

type Theme = "light" | "dark";

const name = "baton.theme";
const darkScheme = window.matchMedia("(prefers-color-scheme: dark)");

function chosen(): Theme | undefined {
  const kept = localStorage.getItem(name);
  return kept === "light" || kept === "dark" ? kept : undefined;
}

function current(): Theme {
  return chosen() ?? (darkScheme.matches ? "dark" : "light");
}

const watchers = new Set<() => void>();

function show(): void {
  document.documentElement.dataset.theme = current();
  for (const watcher of watchers) watcher();
}

/** Before anything is drawn, so that nothing flashes. */
export function applyTheme(): void {
  show();
  darkScheme.addEventListener("change", show);
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export function ThemeSwitch() {
  const theme = useSyncExternalStore(watch, current);
  const other = theme === "dark" ? "light" : "dark";
  const change = () => {
    localStorage.setItem(name, other);
    show();
  };
  useShortcut("t", `Use the ${other} theme`, change);
  return (
    <button type="button" className="button small" onClick={change} title={`Use the ${other} theme (t)`}>
      <Sign name={theme === "dark" ? "sun" : "moon"} />
      <span className="sr">Use the {other} theme</span>
    </button>
  );
}
