import { AgentError } from "./agent-error.ts";

/** Told whatever the author should know and nothing waits for: a lost hub, a refused message, a function that threw. */
export type OnProblem = (problem: AgentError) => void;

/** One line on stderr. Messages carry codes and names, never keys, environments or output. */
export const printProblem: OnProblem = ({ code, message, at, fix }) => {
  const line = `${code}  ${message}${at ? ` (${at})` : ""}; fix: ${fix}`;
  process.stderr.write(`${line.replaceAll(/\s*\n\s*/g, " ")}\n`);
};

/** The end of a problem that was printed. Authors who take problems themselves see it by the state of the agent. */
export function printBack(address: string): void {
  process.stderr.write(`the hub is back (${address})\n`);
}

/** A callback that throws must not take the agent down. */
export function guarded(onProblem: OnProblem): OnProblem {
  return (problem) => {
    try {
      onProblem(problem);
    } catch (cause) {
      const detail = { at: "onProblem", cause };
      printProblem(new AgentError("BATON-SDK-001", "the callback for problems threw itself", detail));
    }
  };
}
