import type { Stage } from "@baton/contract/messages";

/** A tab that has nothing to show, and why. */
export function NotYet({ stage, what }: { readonly stage: Stage; readonly what: string }) {
  return (
    <p className="quiet">
      {what}
      {stage.waitingFor !== "" && ` It waits for ${stage.waitingFor}.`}
    </p>
  );
}
