import { Sign } from "../design/signs.tsx";
import { useShortcut } from "../router/keys.ts";
import { Store, useStore } from "../store.ts";

const name = "baton.theme";
const darkScheme = window.matchMedia("(prefers-color-scheme: dark)");

function readTheme(): "light" | "dark" {
  const stored = localStorage.getItem(name);
  if (stored === "light" || stored === "dark") return stored;
  return darkScheme.matches ? "dark" : "light";
}

const store = new Store(readTheme());

function applyTheme(): void {
  const theme = readTheme();
  document.documentElement.dataset.theme = theme;
  store.set(theme);
}

/** Called before the first render, so that the page does not flash. */
export function startTheme(): void {
  applyTheme();
  darkScheme.addEventListener("change", applyTheme);
}

export function ThemeSwitch() {
  const theme = useStore(store);
  const other = theme === "dark" ? "light" : "dark";
  const change = () => {
    localStorage.setItem(name, other);
    applyTheme();
  };
  useShortcut("t", `Switch to the ${other} theme`, change);
  return (
    <button
      type="button"
      className="button small"
      onClick={change}
      title={`Switch to the ${other} theme (t)`}
    >
      <Sign name={theme === "dark" ? "sun" : "moon"} />
      <span className="sr">Switch to the {other} theme</span>
    </button>
  );
}
