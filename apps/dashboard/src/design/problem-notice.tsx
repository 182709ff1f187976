import type { Problem } from "../hub/problem.ts";

/** An error with its fix. */
export function ProblemNotice({ problem }: { readonly problem: Problem }) {
  if (problem.kind === "away")
    return (
      <div className="notice asks" role="status">
        The hub is not responding. This page shows the last known state and updates when the hub is back.
      </div>
    );
  return (
    <div className="notice bad" role="alert">
      <strong>{problem.message}</strong>
      {problem.fields.length > 0 && (
        <ul>
          {problem.fields.map(({ field, message }) => (
            <li key={field + message}>
              <code>{field}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {problem.fix !== "" && <span>{problem.fix}</span>}
      {problem.code !== "" && <code>{problem.code}</code>}
    </div>
  );
}
