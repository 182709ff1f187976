import { AgentError } from "./agent-error.ts";

const unexpected = 1;

/**
 * Why an agent could not be started, as it is told when nobody catches it: the code, the place and the way out, without the
 * lines of this package. Whoever catches it, or has a handler of their own, notices nothing.
 */
export function tellPlainly(error: unknown): void {
  if (!(error instanceof AgentError) || process.listenerCount("uncaughtException") > 0) return;
  const tell = (thrown: unknown) => {
    process.stderr.write(`${thrown === error ? error : told(thrown)}\n`);
    process.exit(unexpected);
  };
  process.on("uncaughtException", tell);
  // What nobody catches comes up before the next timer.
  setTimeout(() => process.off("uncaughtException", tell), 0);
}

function told(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? String(thrown)) : String(thrown);
}
