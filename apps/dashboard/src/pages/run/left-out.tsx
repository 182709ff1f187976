import { AttemptPart, type GetAttemptResponse } from "@baton/contract/messages";

const names: Readonly<Record<AttemptPart, string>> = {
  [AttemptPart.UNSPECIFIED]: "a part",
  [AttemptPart.ENVELOPE]: "envelope",
  [AttemptPart.RESULT]: "result",
  [AttemptPart.GATE]: "checks",
  [AttemptPart.DISPATCH]: "dispatch",
};

/** The parts of an attempt that are too large to display. */
export function LeftOut({ attempt: { leftOut, summary } }: { readonly attempt: GetAttemptResponse }) {
  if (leftOut.length === 0) return null;
  const parts = leftOut.map(({ part, bytes }) => `${names[part]} (${(bytes / 1024 / 1024).toFixed(1)} MiB)`);
  return (
    <p className="notice asks" role="status">
      Too large to display: {parts.join(", ")}. Read each part with a binary GetAttempt call for{" "}
      <code className="wrap">{summary?.dispatchId}</code>.
    </p>
  );
}
