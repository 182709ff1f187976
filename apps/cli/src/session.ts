import { once } from "node:events";
import type { Command } from "commander";
import { asCalled, calledAs } from "./called-as.ts";
import { describeError } from "./errors/describe-error.ts";
import { exitCodeOf, tellError } from "./errors/tell-error.ts";
import { exitCode, readerGone } from "./exit-code.ts";
import { defaultHub, isLoopback, readAddress } from "./hub/address.ts";
import { readApiKey } from "./hub/api-key.ts";
import type { Hub } from "./hub/connect-hub.ts";
import { isConnectionLoss } from "./hub/passing.ts";
import { interruptible } from "./interruption.ts";
import { escapeJson } from "./terminal/escape.ts";
import { paint, piece } from "./terminal/ink.ts";
import { type Look, lookOf } from "./terminal/look.ts";
import type { AnswerWay } from "./views/how-to-answer.ts";

export const outputs = ["text", "json", "jsonl"] as const;
export type Output = (typeof outputs)[number];

/** The options that every command has. */
export interface CommonOptions {
  readonly hub: string;
  readonly apiKeyFile?: string;
  readonly output: Output;
}

/** Where data goes, and where words go. */
export interface Writing {
  readonly output: Output;
  /** What standard output can show. */
  readonly look: Look;
  /** Data, line by line. Waits while nobody reads. */
  write(lines: readonly string[]): Promise<void>;
  /** One JSON document, or one line of it, by the output that was asked for. */
  writeJson(json: string): Promise<void>;
  /** Words for people, which are no data. */
  tell(line: string): void;
}

/** What a command works with: where data goes, where words go, and the hub. */
export interface Session extends Writing {
  readonly hub: Hub;
  /** How what the hub asks people is answered from a shell. */
  readonly way: AnswerWay;
  readonly signal: AbortSignal;
}

export function lookOfOutput(): Look {
  return lookOf(process.stdout, process.env, process.platform);
}

export function lookOfErrors(): Look {
  return lookOf(process.stderr, process.env, process.platform);
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
    const key = readApiKey(apiKeyFile, process.env.BATON_API_KEY);
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
    reportError(signal.aborted ? signal.reason : error, { hub: address, output });
  } finally {
    hub?.close();
  }
  // Whoever waits for the end must not wait for timers of connections that are gone.
  if (signal.aborted) process.exit();
}

/** Runs a command that needs no hub. */
export async function withoutHub(
  command: Command,
  carryOut: (writing: Writing) => Promise<number>,
): Promise<void> {
  const common = command.optsWithGlobals<CommonOptions>();
  try {
    process.exitCode = await carryOut(writingTo(common.output));
  } catch (error) {
    reportError(error, common);
  }
}

function writingTo(output: Output): Writing {
  return {
    ...{ output, look: lookOfOutput(), write: writeLines, tell },
    writeJson: (json) => writeJson(json, output),
  };
}

/** The address stands on the command line: whoever answers from another one has to name it again. */
function isTyped(command: Command): boolean {
  return command.getOptionValueSourceWithGlobals("hub") === "cli";
}

/** A connection that breaks may say so after the call on it has failed, when nobody listens any more. */
export function bearConnectionLoss(common: Pick<CommonOptions, "hub" | "output">): void {
  process.on("uncaughtException", (error) => {
    if (isConnectionLoss(error)) return;
    reportError(error, common);
    process.exit();
  });
}

/** Tells what went wrong on standard error and sets the exit code. */
export function reportError(error: unknown, { hub, output }: Pick<CommonOptions, "hub" | "output">): void {
  const told = tellError(error, hub);
  process.exitCode = exitCodeOf(error, told);
  if (told !== undefined) process.stderr.write(describeError(told, lookOfErrors(), output !== "text"));
}

/** A reader that has seen enough, such as `head`, is no error. */
export function leaveQuietlyWithoutReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      process.exit(error.code === "EPIPE" ? readerGone : exitCode.unexpected);
    });
  }
}

export async function writeLines(lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return;
  if (!process.stdout.write(`${lines.join("\n")}\n`)) await once(process.stdout, "drain");
}

export function tell(line: string): void {
  process.stderr.write(`${paint(lookOfErrors(), piece(asCalled(line), "quiet"))}\n`);
}

export function writeJson(json: string, output: Output): Promise<void> {
  return writeLines([escapeJson(output === "json" ? indented(json) : json)]);
}

function indented(json: string): string {
  return JSON.stringify(JSON.parse(json), undefined, 2);
}
