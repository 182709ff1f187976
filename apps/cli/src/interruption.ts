import { constants } from "node:os";
import { signalBase } from "./exit-code.ts";

const handled = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** A signal asks the command to end. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
  readonly exitCode: number;

  constructor(signal: NodeJS.Signals) {
    super(`ended by ${signal}`);
    this.exitCode = signalBase + constants.signals[signal];
  }
}

/** Aborts at the first interruption. A second one ends the process at once. */
export function interruptible(): AbortSignal {
  const controller = new AbortController();
  for (const signal of handled) {
    process.on(signal, () => {
      const reason = new Interrupted(signal);
      if (controller.signal.aborted) process.exit(reason.exitCode);
      controller.abort(reason);
    });
  }
  return controller.signal;
}
