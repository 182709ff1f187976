import { basename } from "node:path";
import { runCommand } from "../evidence/run-command.ts";
import { ContentDigest } from "./content-digest.ts";
import type { ReferenceLimits } from "./limits.ts";
import type { ReadRef } from "./read-ref.ts";
import { Unreadable } from "./unreadable.ts";

/** How records of a database are read: a program and its arguments, by the name that locators begin with. */
export interface RecordCommand {
  /** `{locator}`, `{version}` and `{tenant}` are filled in, each as an argument of its own (`recordFault`). */
  readonly command: readonly string[];
  /** Where it runs. */
  readonly directory: string;
}

export type RecordCommands = ReadonlyMap<string, RecordCommand>;

const placeholders = ["locator", "version", "tenant"] as const;

/** A whole argument, or the value of a long option. */
const ownArgument = /^(--[a-z0-9][a-z0-9-]*=)?\{(locator|version|tenant)\}$/i;
/** Options whose value a shell, an interpreter or a database reads as a program: `-c`, `-lc`, `-e`, `-pe`, `--eval=…`. */
const takesProgram = /^(-[a-z]*[ce]|--(command|eval|exec|execute|print|query|sql)(=.*)?)$/i;
/** The same of `-p`, which names a port or a path elsewhere. */
const printsResult = /^(node|bun|deno|perl|ruby)[\d.]*$/;

/**
 * What is wrong with the arguments of a record command, if anything. Whoever submits a task writes the locator, so it must
 * reach the program as data: an argument of its own, and never part of a text that a shell or an interpreter reads.
 */
export function recordFault(command: readonly string[]): string | undefined {
  const [program = "", ...args] = command;
  if (/[{}]/.test(program)) return "lets a locator choose the program";
  for (const [place, arg] of args.entries()) {
    const [found] = /\{(locator|version|tenant)\}/.exec(arg) ?? [];
    if (found === undefined) continue;
    if (!ownArgument.test(arg)) return `has ${found} inside a longer argument`;
    const option = args[place - 1] ?? "";
    const isPrinted = option === "-p" && printsResult.test(basename(program));
    if (takesProgram.test(arg) || takesProgram.test(option) || isPrinted)
      return `passes ${found} as a text that a program executes`;
  }
  return undefined;
}

/** A record: what the operator's command prints when it is asked for it. */
export function recordReader(commands: RecordCommands, limits: ReferenceLimits): ReadRef {
  return async ({ uriOrLocator, versionOrSha }, { tenantId, signal }) => {
    const nameEnd = uriOrLocator.indexOf(":");
    const record = commands.get(uriOrLocator.slice(0, Math.max(0, nameEnd)));
    const locator = uriOrLocator.slice(nameEnd + 1);
    if (!record || locator === "") throw new Unreadable("no command of this hub reads such records");
    if (recordFault(record.command)) throw new Unreadable("its command is not safe to run");
    const values = { locator, version: versionOrSha, tenant: tenantId };
    const [file = "", ...args] = record.command.map((part) => fill(part, values));
    return { digest: await run({ file, args, directory: record.directory }, limits, signal), versionOrSha };
  };
}

/** Whoever wrote the locator must not say to the program what to do: an argument that they begin is no option. */
function fill(part: string, values: Readonly<Record<(typeof placeholders)[number], string>>): string {
  for (const name of placeholders) {
    if (part.startsWith(`{${name}}`) && values[name].startsWith("-"))
      throw new Unreadable(`its ${name} begins with a hyphen, and could be taken for an option`);
  }
  return part.replace(/\{(locator|version|tenant)\}/g, (_, name: (typeof placeholders)[number]) => {
    if (values[name].includes("\0")) throw new Unreadable(`its ${name} cannot be passed to a program`);
    return values[name];
  });
}

/** What it prints about errors may hold secrets of the database, and is told to nobody. */
async function run(
  spec: { readonly file: string; readonly args: readonly string[]; readonly directory: string },
  { timeoutMs, recordBytes }: ReferenceLimits,
  signal: AbortSignal,
): Promise<string> {
  signal.throwIfAborted();
  const digest = new ContentDigest(recordBytes);
  const enough = new AbortController();
  let failure: unknown;
  const onStdout = (chunk: Buffer) => {
    try {
      digest.add(chunk);
    } catch (error) {
      failure = error;
      enough.abort();
    }
  };
  const { exitCode, timedOut } = await runCommand(
    { ...spec, onStdout },
    { timeoutMs, outputBytes: 1_024 },
    AbortSignal.any([signal, enough.signal]),
  );
  if (failure !== undefined) throw failure;
  if (timedOut) throw new Unreadable(`its command took more than ${timeoutMs / 1_000} s`);
  if (exitCode === undefined) throw new Unreadable("its command could not be run");
  if (exitCode !== 0) throw new Unreadable(`its command ended with ${exitCode}`);
  if (digest.bytes === 0) throw new Unreadable("its command printed nothing: there is no such record");
  return digest.text();
}
