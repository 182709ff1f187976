import { useConnection } from "../hub/connection.ts";
import { isOperator, keyStore } from "../hub/key.ts";
import { signOut } from "../hub/sign-in.ts";
import { useStore } from "../store.ts";
import { Shortcuts } from "./shortcuts.tsx";
import { ThemeSwitch } from "./theme.tsx";

const states = {
  connecting: "Connecting",
  live: "Live",
  lost: "Reconnecting",
  locked: "Key required",
} as const;

export function SideFoot() {
  const state = useConnection();
  const key = useStore(keyStore);
  return (
    <div className="side-foot">
      <div
        className={`state ${state.kind}`}
        role="status"
        title={state.kind === "lost" ? state.reason : ""}
        data-state={state.kind}
      >
        <i aria-hidden="true" />
        {states[state.kind]}
      </div>
      {key !== "" && (
        <button type="button" className="button small" onClick={signOut}>
          {isOperator() ? "Sign out" : "Remove key"}
        </button>
      )}
      <div className="row">
        <ThemeSwitch />
        <Shortcuts />
      </div>
    </div>
  );
}
