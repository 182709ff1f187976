import { basename } from "node:path";
import { runCommand } from "../processes/run-command.ts";
import { ContentDigest } from "./content-digest.ts";
import type { ReferenceLimits } from "./limits.ts";
import type { ReadRef } from "./read-ref.ts";
import { Unreadable } from "./unreadable.ts";

/** The command that reads records whose locator begins with a given name. */
export interface RecordCommand {
  /** `{locator}`, `{version}` and `{tenant}` are replaced, each as a separate argument (`recordFault`). */
  readonly command: readonly string[];
  /** Working directory. */
  readonly directory: string;
}

export type RecordCommands = ReadonlyMap<string, RecordCommand>;

const placeholders = ["locator", "version", "tenant"] as const;

/** A whole argument, or the value of a long option. */
const ownArgument = /^(--[a-z0-9][a-z0-9-]*=)?\{(locator|version|tenant)\}$/i;
/** Options whose value is executed as a program: `-c`, `-lc`, `-e`, `-pe`, `--eval=…`. */
const takesProgram = /^(-[a-z]*[ce]|--(command|eval|exec|execute|print|query|sql)(=.*)?)$/i;
/** Programs whose `-p` executes its value; elsewhere it names a port or path. */
const printsResult = /^(node|bun|deno|perl|ruby)[\d.]*$/;

/**
 * The problem of a record command, if any. Submitters control the locator, so it must be data: a separate argument that
 * no shell or interpreter executes.
 */
export function recordFault(command: readonly string[]): string | undefined {
  const [program = "", ...args] = command;
  if (/[{}]/.test(program)) return "lets a locator choose the program";
  for (const [index, arg] of args.entries()) {
    const [found] = /\{(locator|version|tenant)\}/.exec(arg) ?? [];
    if (found === undefined) continue;
    if (!ownArgument.test(arg)) return `has ${found} inside a longer argument`;
    const option = args[index - 1] ?? "";
    const isPrinted = option === "-p" && printsResult.test(basename(program));
    if (takesProgram.test(arg) || takesProgram.test(option) || isPrinted)
      return `passes ${found} as a text that a program executes`;
  }
  return undefined;
}

/** Reads a record by the operator's command. */
export function recordReader(commands: RecordCommands, limits: ReferenceLimits): ReadRef {
  return async ({ uriOrLocator, versionOrSha }, { tenantId, signal }) => {
    const separator = uriOrLocator.indexOf(":");
    const record = commands.get(uriOrLocator.slice(0, Math.max(0, separator)));
    const locator = uriOrLocator.slice(separator + 1);
    if (!record || locator === "") throw new Unreadable("the hub has no command for such records");
    if (recordFault(record.command)) throw new Unreadable("its command is not safe to run");
    const values = { locator, version: versionOrSha, tenant: tenantId };
    const [file = "", ...args] = record.command.map((part) => substitute(part, values));
    return { digest: await run({ file, args, directory: record.directory }, limits, signal), versionOrSha };
  };
}

/** Values that begin with a hyphen could be taken for options. */
function substitute(part: string, values: Readonly<Record<(typeof placeholders)[number], string>>): string {
  for (const name of placeholders) {
    if (part.startsWith(`{${name}}`) && values[name].startsWith("-"))
      throw new Unreadable(`its ${name} begins with a hyphen and could be taken for an option`);
  }
  return part.replace(/\{(locator|version|tenant)\}/g, (_, name: (typeof placeholders)[number]) => {
    if (values[name].includes("\0")) throw new Unreadable(`its ${name} cannot be passed to a program`);
    return values[name];
  });
}

/** Its error output may contain secrets and is discarded. */
async function run(
  spec: { readonly file: string; readonly args: readonly string[]; readonly directory: string },
  { timeoutMs, recordBytes }: ReferenceLimits,
  signal: AbortSignal,
): Promise<string> {
  signal.throwIfAborted();
  const digest = new ContentDigest(recordBytes);
  const stop = new AbortController();
  let failure: unknown;
  const onStdout = (chunk: Buffer) => {
    try {
      digest.add(chunk);
    } catch (error) {
      failure = error;
      stop.abort();
    }
  };
  const { exitCode, timedOut } = await runCommand(
    { ...spec, onStdout },
    { timeoutMs, outputBytes: 1_024 },
    AbortSignal.any([signal, stop.signal]),
  );
  if (failure !== undefined) throw failure;
  if (timedOut) throw new Unreadable(`its command took longer than ${timeoutMs / 1_000} s`);
  if (exitCode === undefined) throw new Unreadable("its command could not start");
  if (exitCode !== 0) throw new Unreadable(`its command exited with ${exitCode}`);
  if (digest.bytes === 0) throw new Unreadable("its command printed nothing: the record does not exist");
  return digest.text();
}
