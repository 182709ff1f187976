import { useSyncExternalStore } from "react";
import { isOperator, onKeyChange, readKey } from "../hub/key.ts";
import { signOut } from "../hub/sign-in.ts";

/** Shown to whoever came in with a key, or is signed in. */
export function ForgetKey() {
  const key = useSyncExternalStore(onKeyChange, readKey);
  if (key === "") return null;
  return (
    <button type="button" className="button small" onClick={signOut}>
      {isOperator() ? "Sign out" : "Forget the key"}
    </button>
  );
}
