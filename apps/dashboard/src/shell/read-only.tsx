import { useSignIn } from "../hub/sign-in.ts";

/** Shown where decisions need the operator and this tab is not signed in. */
export function ReadOnly() {
  const { isReadOnly, problem, command } = useSignIn();
  if (!isReadOnly) return null;
  return (
    <div className="notice asks read-only" role="status">
      <p>
        {problem === "" ? "" : `Not signed in: ${problem}. `}
        You can watch and start runs here. To decide, open the address that <code>{command}</code> prints.
      </p>
    </div>
  );
}
