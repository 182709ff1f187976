import type { Command } from "commander";
import { calledAs } from "./called-as.ts";
import { defaultHub, isLoopback, readAddress } from "./hub/address.ts";
import { readApiKey } from "./hub/api-key.ts";
import type { Hub } from "./hub/connect-hub.ts";
import { findLocalHub } from "./hub/local-hub.ts";
import { isConnectionLoss } from "./hub/passing.ts";
import { interruptible } from "./interruption.ts";
import type { AnswerWay } from "./views/how-to-answer.ts";
import { type CommonOptions, reportError, tell, type Writing, writingTo } from "./writing.ts";

/** What a command works with: where data goes, where words go, and the hub. */
export interface Session extends Writing {
  readonly hub: Hub;
  /** How what the hub asks people is answered from a shell. */
  readonly way: AnswerWay;
  readonly signal: AbortSignal;
}

/** Runs a client's command: connects, carries it out, tells what went wrong, and sets the exit code. */
export async function withHub(
  command: Command,
  carryOut: (session: Session) => Promise<number>,
): Promise<void> {
  const { hub: given, apiKeyFile, output } = command.optsWithGlobals<CommonOptions>();
  const address = given || defaultHub; // A variable that is set to nothing says nothing.
  const signal = interruptible();
  bearConnectionLoss({ hub: address, output });
  let hub: Hub | undefined;
  try {
    const url = readAddress(address);
    const key = readApiKey(apiKeyFile, process.env.BATON_API_KEY) ?? findLocalHub(url)?.token;
    if (key !== undefined && url.protocol === "http:" && !isLoopback(url)) {
      tell(`the key goes to ${url.host} in plain text; use https:// where others can listen`);
    }
    const { connectHub } = await import("./hub/connect-hub.ts"); // Who needs no hub need not load what connects.
    hub = connectHub(url, key);
    process.exitCode = await carryOut({
      ...writingTo(output),
      hub,
      way: isTyped(command) ? `${calledAs()} --hub ${url.origin}` : calledAs(),
      signal,
    });
  } catch (error) {
    await reportError(signal.aborted ? signal.reason : error, { hub: address, output });
  } finally {
    hub?.close();
  }
  // Whoever waits for the end must not wait for timers of connections that are gone.
  if (signal.aborted) process.exit();
}

/** The address stands on the command line: whoever answers from another one has to name it again. */
function isTyped(command: Command): boolean {
  return command.getOptionValueSourceWithGlobals("hub") === "cli";
}

/** A connection that breaks may say so after the call on it has failed, when nobody listens any more. */
export function bearConnectionLoss(common: Pick<CommonOptions, "hub" | "output">): void {
  process.on("uncaughtException", (error) => {
    if (isConnectionLoss(error)) return;
    void reportError(error, common).then(() => process.exit());
  });
}
