import { AgentError } from "./agent-error.ts";

/** Receives problems that no call reports: an unreachable hub, a refused message, a `run` that threw. */
export type OnProblem = (problem: AgentError) => void;

/** One line on stderr. Messages contain codes and names, never keys, environments or output. */
export const printProblem: OnProblem = ({ code, message, at, fix }) => {
  const line = `${code}  ${message}${at ? ` (${at})` : ""}; fix: ${fix}`;
  process.stderr.write(`${line.replaceAll(/\s*\n\s*/g, " ")}\n`);
};

/** The end of a printed outage. Authors with an `onProblem` of their own read the state of the agent instead. */
export function printBack(address: string): void {
  process.stderr.write(`the hub is back (${address})\n`);
}

/** Keeps the agent running when the callback throws. */
export function guarded(onProblem: OnProblem): OnProblem {
  return (problem) => {
    try {
      onProblem(problem);
    } catch (cause) {
      printProblem(new AgentError("BATON-SDK-001", "onProblem threw an error", { at: "onProblem", cause }));
    }
  };
}
