import type { Command } from "commander";
import { defaultHub, isLoopback, readAddress } from "./hub/address.ts";
import { readApiKey } from "./hub/api-key.ts";
import type { Hub } from "./hub/connect-hub.ts";
import { findLocalHub } from "./hub/local-hub.ts";
import { isConnectionLoss } from "./hub/transient-errors.ts";
import { interruptible } from "./interruption.ts";
import { defaultInvocation } from "./invocation.ts";
import { type CommonOptions, type Printer, printerFor, printNote, reportError } from "./output.ts";
import type { Invocation } from "./views/inbox/answer-commands.ts";

/** The printer and the hub of a command. */
export interface Session extends Printer {
  readonly hub: Hub;
  /** How the printed commands call this program, so that they reach the same hub. */
  readonly invocation: Invocation;
  readonly signal: AbortSignal;
}

/** Runs a command that needs the hub: connects, executes, reports an error, and sets the exit code. */
export async function withHub(
  command: Command,
  executeCommand: (session: Session) => Promise<number>,
): Promise<void> {
  const { hub: given, apiKeyFile, output } = command.optsWithGlobals<CommonOptions>();
  const address = given || defaultHub; // An empty variable counts as unset.
  const signal = interruptible();
  ignoreConnectionLoss({ hub: address, output });
  let hub: Hub | undefined;
  try {
    const url = readAddress(address);
    const key = readApiKey(apiKeyFile, process.env.BATON_API_KEY) ?? findLocalHub(url)?.token;
    if (key !== undefined && url.protocol === "http:" && !isLoopback(url)) {
      printNote(`the key goes to ${url.host} in plain text; use https:// where others can listen`);
    }
    const { connectHub } = await import("./hub/connect-hub.ts"); // Loaded here, so that other commands start faster.
    hub = connectHub(url, key);
    process.exitCode = await executeCommand({
      ...printerFor(output),
      hub,
      invocation: isTyped(command) ? `${defaultInvocation()} --hub ${url.origin}` : defaultInvocation(),
      signal,
    });
  } catch (error) {
    await reportError(signal.aborted ? signal.reason : error, { hub: address, output });
  } finally {
    hub?.close();
  }
  // Timers of closed connections would delay the end.
  if (signal.aborted) process.exit();
}

/** The address is on the command line, so the commands that are printed have to name it too. */
function isTyped(command: Command): boolean {
  return command.getOptionValueSourceWithGlobals("hub") === "cli";
}

/** A broken connection can emit an error after its call has failed, when nothing handles it any more. */
export function ignoreConnectionLoss(common: Pick<CommonOptions, "hub" | "output">): void {
  process.on("uncaughtException", (error) => {
    if (isConnectionLoss(error)) return;
    void reportError(error, common).then(() => process.exit());
  });
}
