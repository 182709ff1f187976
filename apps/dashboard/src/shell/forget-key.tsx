import { useSyncExternalStore } from "react";
import { onKeyChange, readKey, writeKey } from "../hub/key.ts";

/** Shown to whoever came in with a key. */
export function ForgetKey() {
  const key = useSyncExternalStore(onKeyChange, readKey);
  if (key === "") return null;
  return (
    <button type="button" className="button small" onClick={() => writeKey("")}>
      Forget the key
    </button>
  );
}
