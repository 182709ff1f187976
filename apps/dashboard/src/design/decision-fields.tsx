import type { ReactNode } from "react";
import { useSignIn } from "../hub/sign-in.ts";

/** The fields of a decision. A tab that is not signed in shows them, and lets nobody fill them in in vain. */
export function DecisionFields({ children }: { readonly children: ReactNode }) {
  const { isReadOnly } = useSignIn();
  return (
    <fieldset className="stack decision-fields" disabled={isReadOnly}>
      {children}
    </fieldset>
  );
}
