/** What every command has, also one that needs no hub: where data goes, where words go, and how errors are told. */
import { once } from "node:events";
import type { Command } from "commander";
import { asCalled } from "./called-as.ts";
import { exitCode, readerGone } from "./exit-code.ts";
import { escapeJson } from "./terminal/escape.ts";
import { paint, piece } from "./terminal/ink.ts";
import { type Look, lookOf } from "./terminal/look.ts";

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

export function lookOfOutput(): Look {
  return lookOf(process.stdout, process.env, process.platform);
}

export function lookOfErrors(): Look {
  return lookOf(process.stderr, process.env, process.platform);
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
    await reportError(error, common);
  }
}

export function writingTo(output: Output): Writing {
  return {
    ...{ output, look: lookOfOutput(), write: writeLines, tell },
    writeJson: (json) => writeJson(json, output),
  };
}

/** Tells what went wrong on standard error and sets the exit code. What knows all that can go wrong is loaded now. */
export async function reportError(
  error: unknown,
  { hub, output }: Pick<CommonOptions, "hub" | "output">,
): Promise<void> {
  const { exitCodeOf, tellError } = await import("./errors/tell-error.ts");
  const { describeError } = await import("./errors/describe-error.ts");
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
