import { AttemptPart, type GetAttemptResponse } from "@baton/contract/messages";

const names: Readonly<Record<AttemptPart, string>> = {
  [AttemptPart.UNSPECIFIED]: "a part",
  [AttemptPart.ENVELOPE]: "what was sent",
  [AttemptPart.RESULT]: "what came back",
  [AttemptPart.GATE]: "the checks",
  [AttemptPart.DISPATCH]: "the choice of the agent",
};

/** What of an attempt is too large to be shown here. */
export function LeftOut({ attempt: { leftOut, summary } }: { readonly attempt: GetAttemptResponse }) {
  if (leftOut.length === 0) return null;
  const parts = leftOut.map(({ part, bytes }) => `${names[part]} (${(bytes / 1024 / 1024).toFixed(1)} MiB)`);
  return (
    <p className="notice asks" role="status">
      Too large to be shown here: {parts.join(", ")}. A client that asks in binary form reads it with
      GetAttempt of <code className="wrap">{summary?.dispatchId}</code>, by the name of the part.
    </p>
  );
}
