/** Output of every command: data on standard output; notes and errors on standard error. */
import { once } from "node:events";
import type { Command } from "commander";
import { exitCode, readerGone } from "./exit-code.ts";
import { withInvocation } from "./invocation.ts";
import { escapeJson } from "./terminal/escape.ts";
import { paint, piece } from "./terminal/paint.ts";
import { detectTerminal, type Terminal } from "./terminal/terminal.ts";

export const outputFormats = ["text", "json", "jsonl"] as const;
export type OutputFormat = (typeof outputFormats)[number];

/** The options that every command has. */
export interface CommonOptions {
  readonly hub: string;
  readonly apiKeyFile?: string;
  readonly output: OutputFormat;
}

/** Writes data to standard output and notes to standard error. */
export interface Printer {
  readonly output: OutputFormat;
  /** The capabilities of standard output. */
  readonly terminal: Terminal;
  /** Lines of data. Waits for a slow reader. */
  write(lines: readonly string[]): Promise<void>;
  /** One JSON document, indented or on one line, as --output says. */
  writeJson(json: string): Promise<void>;
  /** A note for people, on standard error. */
  printNote(line: string): void;
}

export function outputTerminal(): Terminal {
  return detectTerminal(process.stdout, process.env, process.platform);
}

export function errorTerminal(): Terminal {
  return detectTerminal(process.stderr, process.env, process.platform);
}

/** Runs a command that needs no hub. */
export async function withoutHub(
  command: Command,
  executeCommand: (printer: Printer, common: CommonOptions) => Promise<number>,
): Promise<void> {
  const common = command.optsWithGlobals<CommonOptions>();
  try {
    process.exitCode = await executeCommand(printerFor(common.output), common);
  } catch (error) {
    await reportError(error, common);
  }
}

export function printerFor(output: OutputFormat): Printer {
  return {
    ...{ output, terminal: outputTerminal(), write: writeLines, printNote },
    writeJson: (json) => writeJson(json, output),
  };
}

/** Prints the error on standard error and sets the exit code. The modules for that are loaded only now. */
export async function reportError(
  error: unknown,
  { hub, output }: Pick<CommonOptions, "hub" | "output">,
): Promise<void> {
  const { exitCodeOf, toErrorReport } = await import("./errors/error-report.ts");
  const { describeError } = await import("./errors/describe-error.ts");
  const report = toErrorReport(error, hub);
  process.exitCode = exitCodeOf(error, report);
  if (report !== undefined) process.stderr.write(describeError(report, errorTerminal(), output !== "text"));
}

/** A reader that closes the pipe early, such as `head`, is no error. */
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

export function printNote(line: string): void {
  process.stderr.write(`${paint(errorTerminal(), piece(withInvocation(line), "quiet"))}\n`);
}

export function writeJson(json: string, output: OutputFormat): Promise<void> {
  return writeLines([escapeJson(output === "json" ? indented(json) : json)]);
}

function indented(json: string): string {
  return JSON.stringify(JSON.parse(json), undefined, 2);
}
