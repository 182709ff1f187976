import { AgentError } from "./agent-error.ts";

/** Calls `close` at the first SIGTERM or SIGINT. Returns a function that stops listening. */
export function onSignals(close: () => void): () => void {
  const names = ["SIGTERM", "SIGINT"] as const;
  const stop = () => {
    for (const name of names) process.off(name, onSignal);
  };
  // Stop listening first, so that a second signal ends the process.
  const onSignal = () => {
    stop();
    close();
  };
  for (const name of names) process.on(name, onSignal);
  return stop;
}

/**
 * If nobody catches `error`, prints its code, place and fix without a stack trace. Callers that catch it, and processes
 * with a handler of their own, are not affected.
 */
export function printIfUncaught(error: unknown): void {
  if (!(error instanceof AgentError) || process.listenerCount("uncaughtException") > 0) return;
  const print = (thrown: unknown) => {
    const isOther = thrown !== error && thrown instanceof Error;
    process.stderr.write(`${isOther ? (thrown.stack ?? thrown) : thrown}\n`);
    process.exit(1);
  };
  process.on("uncaughtException", print);
  // An uncaught rejection surfaces before the next timer.
  setTimeout(() => process.off("uncaughtException", print), 0);
}
