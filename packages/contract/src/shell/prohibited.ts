/** Whether a command does what an entry of `prohibited_actions` names: a program, and the words that must follow it. */
import { type Command, type Executed, programOf } from "./executed.ts";
import { unknownText, unknownWords } from "./read-commands.ts";

/** `does`: it is the action. `may`: part of it is unknown until it runs, and could be. */
export type Match = "does" | "may" | undefined;

export function matchAction(action: string, executed: Executed): Match {
  const wanted = action.trim().split(/\s+/);
  if (wanted[0] === "") return undefined;
  let best: Match;
  for (const command of executed.commands) {
    const match = matchCommand(wanted, command);
    if (match === "does") return "does";
    best ??= match;
  }
  if (executed.code.some((code) => mentions(code, wanted))) return "may";
  if (executed.unreadable.some((text) => couldMention(text, wanted))) return "may";
  return best;
}

/** Options of git that take their value from the next word; the value is not the verb. */
const gitOptionsWithValue = new Set(["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env"]);

/** Arguments that are looked at. What comes behind them is as good as unknown. */
const window = 128;

function matchCommand(wanted: readonly string[], command: Command): Match {
  const { words, from, assigned, isArgument } = command;
  const [name = "", ...following] = wanted;
  const given = words[from];
  if (given === undefined) return undefined;
  if (given.includes(unknownWords)) return isArgument ? undefined : "may";
  if (isArgument && following.length === 0) return undefined;
  const program = name.includes("/") ? given : programOf(given);
  if (!couldBe(program, name)) return undefined;
  const args = words.slice(from + 1, from + 1 + window);
  if (words.length > from + 1 + window) args.push(unknownWords);
  if (name === "git" && [...args, ...assigned].some((word) => /(?:^|=)alias\./.test(word))) return "may";
  const isCertain = program === name && !isArgument;
  const fits = matchVerbs(
    name,
    following.filter((word) => !word.startsWith("-")),
    args,
  );
  if (fits === undefined) return undefined;
  const options = following.filter((word) => word.startsWith("-"));
  if (!options.every((option) => hasOption(name, args, option))) return undefined;
  return isCertain && fits === "does" ? "does" : "may";
}

/**
 * Whether the verbs come first among the arguments, in order, with only options between them. An option may take the
 * next word as its value or not; of an unknown program both are tried.
 */
function matchVerbs(program: string, verbs: readonly string[], args: readonly string[]): Match {
  let starts = new Set([0]);
  let isCertain = true;
  for (const verb of verbs) {
    const next = new Set<number>();
    const reached = [...starts].sort((a, b) => a - b);
    const seen = new Set(reached);
    for (let place = 0; place < reached.length; place++) {
      const at = reached[place] ?? 0;
      const arg = args[at];
      if (arg === undefined) continue;
      if (arg.includes(unknownWords)) return "may";
      const isUnknown = arg.includes(unknownText);
      if (couldBe(arg, verb) || (program === "npm" && arg.length > 2 && verb.startsWith(arg))) {
        next.add(at + 1); // npm takes the beginning of a verb.
        if (arg !== verb) isCertain = false;
      }
      if (!arg.startsWith("-") && !isUnknown) continue;
      for (const skipped of skips(program, arg)) {
        if (seen.has(at + skipped)) continue;
        seen.add(at + skipped);
        reached.push(at + skipped);
      }
    }
    if (next.size === 0) return undefined;
    starts = next;
  }
  return isCertain ? "does" : "may";
}

/** How many words an option may take, itself included. */
function skips(program: string, option: string): readonly number[] {
  if (program === "git") return gitOptionsWithValue.has(option) ? [2] : [1];
  return option.includes("=") ? [1] : [1, 2];
}

/** `-rf` is there when its letters are, in whatever groups or as words; `--force` also as `--force=x`, `-f` and abbreviated. */
function hasOption(program: string, args: readonly string[], option: string): boolean {
  if (args.some((arg) => arg.includes(unknownWords) || arg.includes(unknownText))) return true;
  if (option.startsWith("--")) {
    const letter = Object.keys(longOptions).find((key) => longOptions[key] === option);
    return args.some(
      (arg) => isAbbreviated(arg, option) || (letter !== undefined && hasLetter(program, arg, letter)),
    );
  }
  if (!/^-[A-Za-z]+$/.test(option)) return args.some((arg) => arg.replace(/=.*$/s, "") === option);
  return [...option.slice(1)].every((letter) =>
    args.some((arg) => hasLetter(program, arg, letter) || isAbbreviated(arg, longOptions[letter] ?? "")),
  );
}

/** What these letters stand for wherever programs have both. */
const longOptions: Readonly<Record<string, string>> = { r: "--recursive", R: "--recursive", f: "--force" };

function hasLetter(program: string, arg: string, letter: string): boolean {
  if (!/^-[A-Za-z]+$/.test(arg)) return false;
  return arg.includes(letter) || (program === "rm" && /r/i.test(letter) && /r/i.test(arg));
}

function isAbbreviated(arg: string, option: string): boolean {
  const bare = arg.replace(/=.*$/s, "");
  return bare.length > 3 && option.startsWith(bare);
}

function couldBe(word: string, wanted: string): boolean {
  if (!word.includes(unknownText)) return word === wanted;
  const [first = "", ...others] = word.split(unknownText);
  if (!wanted.startsWith(first)) return false;
  let at = first.length;
  for (const piece of others) {
    const found = wanted.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return (others.at(-1) ?? "") === "" || wanted.endsWith(others.at(-1) ?? "");
}

/** Whether all words stand in the text in this order, each as a word of its own. */
function mentions(text: string, wanted: readonly string[]): boolean {
  let rest = text;
  for (const word of wanted) {
    const found = new RegExp(`(?<![\\w-])${escapePattern(word)}(?![\\w-])`).exec(rest);
    if (found === null) return false;
    rest = rest.slice(found.index + word.length);
  }
  return true;
}

/** Quotes and escapes may split a word in a text that nobody can read; an expansion may hold any word. */
function couldMention(text: string, wanted: readonly string[]): boolean {
  const bare = text.replaceAll(/['"\\]/g, "");
  return /[$`]/.test(bare) || mentions(bare, wanted) || bare.includes(wanted[0] ?? "");
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
