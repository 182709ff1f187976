/** What a task may be called with. Every task reads its arguments here, so that all of them answer the same way. */
import { parseArgs } from "node:util";

interface Option {
  /** What stands for its value in the help; without it the option takes none. */
  readonly value?: string;
  readonly purpose: string;
  readonly short?: string;
}

export interface Usage {
  /** As it is typed: `npm run fuzz`. */
  readonly command: string;
  readonly purpose: string;
  readonly options?: Readonly<Record<string, Option>>;
  /** What may follow besides options; without it nothing may. */
  readonly operands?: { readonly name: string; readonly purpose: string };
  /** More lines for the end of the help. */
  readonly notes?: readonly string[];
}

export interface Arguments {
  readonly values: Readonly<Record<string, string>>;
  /** The options without a value that were given. */
  readonly flags: ReadonlySet<string>;
  readonly operands: readonly string[];
}

type Reading =
  | { readonly kind: "run"; readonly given: Arguments }
  | { readonly kind: "help"; readonly text: string }
  | { readonly kind: "refused"; readonly text: string };

/** The usual answer of a program that was called wrongly. */
const calledWrongly = 2;

/** Gives the arguments of this process; or explains, or refuses, and ends it. */
export function takeArguments(usage: Usage, args: readonly string[] = process.argv.slice(2)): Arguments {
  const reading = readArguments(usage, args);
  if (reading.kind === "refused") refuse(reading.text);
  if (reading.kind === "run") return reading.given;
  console.log(reading.text);
  process.exit(0);
}

/** For errors that only the task itself can detect. */
export function refuse(problem: string): never {
  console.error(problem);
  process.exit(calledWrongly);
}

export function readArguments(usage: Usage, args: readonly string[]): Reading {
  const options = usage.options ?? {};
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(options).map(([name, { short, value }]) => [
        name,
        { type: value === undefined ? "boolean" : "string", ...(short === undefined ? {} : { short }) },
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const refused = (problem: string): Reading => ({
    kind: "refused",
    text: `${problem}; ${describeKnown(usage)}`,
  });
  if (tokens.some((token) => token.kind === "option" && ["help", "h"].includes(token.name))) {
    return { kind: "help", text: describeUsage(usage) };
  }
  const values: Record<string, string> = {};
  const flags = new Set<string>();
  const operands: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") {
      if (usage.operands === undefined) return refused(`unknown argument "${token.value}"`);
      operands.push(token.value);
    } else if (token.kind === "option") {
      const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
      if (option === undefined) return refused(`unknown option ${token.rawName}`);
      if (option.value === undefined) {
        if (token.value !== undefined) return refused(`${token.rawName} takes no value`);
        flags.add(token.name);
      } else {
        if (!token.value) return refused(`${token.rawName} wants a value: ${token.rawName} ${option.value}`);
        values[token.name] = token.value;
      }
    }
  }
  return { kind: "run", given: { values, flags, operands } };
}

function describeKnown({ command, options = {}, operands }: Usage): string {
  const known = Object.entries(options).map(([name, option]) => describeOption(name, option));
  if (operands !== undefined) known.push(`[${operands.name} ...]`);
  return `${command} knows ${[...known, "--help"].join(", ")}`;
}

function describeUsage({ command, purpose, options = {}, operands, notes = [] }: Usage): string {
  const rows = Object.entries(options).map(([name, option]) => [
    describeOption(name, option),
    option.purpose,
  ]);
  if (operands !== undefined) rows.push([`[${operands.name} ...]`, operands.purpose]);
  rows.push(["--help", "this text"]);
  const width = Math.max(...rows.map(([left = ""]) => left.length));
  return [
    `${command}  ${purpose}`,
    "",
    `What may follow, after "${command} --":`,
    ...rows.map(([left = "", right]) => `  ${left.padEnd(width)}  ${right}`),
    ...(notes.length === 0 ? [] : ["", ...notes]),
  ].join("\n");
}

function describeOption(name: string, { short, value }: Option): string {
  return `${short === undefined ? "" : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`;
}
