import { useConnection } from "../hub/connection.ts";

const words = { connecting: "Connecting", live: "Live", lost: "Reconnecting", locked: "Key needed" } as const;

/** Whether what is shown is what is. It is always in sight. */
export function ConnectionState() {
  const state = useConnection();
  const why = state.kind === "lost" ? state.why : "";
  return (
    <div className={`state ${state.kind}`} role="status" title={why} data-state={state.kind}>
      <i aria-hidden="true" />
      {words[state.kind]}
    </div>
  );
}
