/**
 * Entries of a tool list: a bare name, or `Name(pattern)` for the commands that a tool runs, as Claude Code writes them.
 * In a pattern `*` stands for anything; `cmd *` and `cmd:*` are the command with any arguments, or none.
 */
import type { UsedTool } from "./forbidden.ts";

/** Whether some entry allows all that the tool does. A path is another program than the bare name. */
export function isAllowed(entries: readonly string[], tool: UsedTool): boolean {
  if (entries.includes(tool.name)) return true;
  const command = commandOf(tool);
  const patterns = patternsFor(entries, tool.name);
  if (command === undefined || patterns.length === 0) return false;
  if (patterns.includes(command.trim())) return true;
  const commands = splitLine(command);
  return (
    commands !== undefined &&
    commands.length > 0 &&
    commands.every((one) => patterns.some((pattern) => fits(pattern, one)))
  );
}

/** Whether some entry denies anything of what the tool does. */
export function isDenied(entries: readonly string[], tool: UsedTool): boolean {
  const names = [tool.name, tool.name.slice(tool.name.lastIndexOf("/") + 1)];
  if (names.some((name) => entries.includes(name))) return true;
  const command = commandOf(tool);
  if (command === undefined) return false;
  // Cut without regard to quotes as well: what is denied is rather seen once too often.
  const commands = [command, ...(splitLine(command) ?? []), ...command.split(separators)];
  return names
    .flatMap((name) => patternsFor(entries, name))
    .some((pattern) => commands.some((one) => fits(pattern, one)));
}

const separators = /[;&|\n]+/;

function patternsFor(entries: readonly string[], name: string): readonly string[] {
  return entries
    .filter((entry) => entry.startsWith(`${name}(`) && entry.endsWith(")"))
    .map((entry) => entry.slice(name.length + 1, -1).trim());
}

function commandOf({ arguments: { command, args } }: UsedTool): string | undefined {
  if (typeof command === "string") return command;
  return Array.isArray(args) ? args.filter((word) => typeof word === "string").join(" ") : undefined;
}

function fits(pattern: string, command: string): boolean {
  const wanted = oneSpaced(pattern.replace(/:\*$/, " *"));
  const given = oneSpaced(command);
  return matches(wanted, given) || (wanted.endsWith(" *") && matches(wanted.slice(0, -2), given));
}

function oneSpaced(text: string): string {
  return text.trim().replace(/\s+/g, " ");
}

/** In time that is bounded by both lengths, whatever the pattern: the last star takes in one letter more when it has to. */
function matches(pattern: string, text: string): boolean {
  let [at, place, star, resume] = [0, 0, -1, 0];
  while (place < text.length) {
    if (pattern[at] === "*") [star, resume, at] = [at, place, at + 1];
    else if (pattern[at] === text[place]) [at, place] = [at + 1, place + 1];
    else if (star >= 0) [resume, at, place] = [resume + 1, star + 1, resume + 1];
    else return false;
  }
  return /^\**$/.test(pattern.slice(at));
}

/** Characters that run other commands within a word, or change the meaning of a quote: the line cannot be split reliably. */
const obscure = /`|\$[({'"]|<<|[<>]\(/;

/** The commands of a line; undefined when they are not certain. */
function splitLine(line: string): readonly string[] | undefined {
  if (obscure.test(line)) return undefined;
  const commands = [""];
  let quote = "";
  for (let at = 0; at < line.length; at++) {
    const letter = line.charAt(at);
    const before = line.charAt(at - 1);
    const isRedirection = letter === "&" && (/[<>]/.test(before) || line.charAt(at + 1) === ">");
    let taken = letter;
    if (letter === "\\" && quote !== "'") taken += line.charAt(++at);
    else if (quote !== "") quote = letter === quote ? "" : quote;
    else if (letter === "'" || letter === '"') quote = letter;
    else if (letter === "#" && (before === "" || /[\s;&|]/.test(before)))
      return undefined; // A comment hides quotes.
    else if (/[;&|\n]/.test(letter) && !isRedirection) {
      commands.push("");
      continue;
    }
    commands[commands.length - 1] += taken;
  }
  return quote === "" ? commands.filter((command) => command.trim() !== "") : undefined;
}
