/**
 * A command of a contract as a list of arguments. Words are separated by blanks; quotes keep a word together; a backslash
 * takes the next character as it is. There is no shell: what only a shell understands is refused, not passed on.
 */
export type SplitCommand =
  | { readonly ok: true; readonly file: string; readonly args: readonly string[] }
  | { readonly ok: false; readonly reason: string };

export const longestCommand = 4_096;

const shellOnly = /[|&;<>()$`\n*?[\]{}~#!]/;

export function splitCommand(command: string): SplitCommand {
  if (command.length > longestCommand) return refuse(`longer than ${longestCommand} characters`);
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let place = 0; place < command.length; place++) {
    const character = command.charAt(place);
    if (character === "\\" && quote !== "'") {
      place++;
      if (place >= command.length) return refuse("ends with a backslash");
      word = (word ?? "") + command.charAt(place);
    } else if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else word = (word ?? "") + character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= "";
    } else if (character === " " || character === "\t") {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (shellOnly.test(character)) {
      return refuse(
        `"${character}" means something only to a shell, and no shell runs it; quote it, or put it into a script`,
      );
    } else word = (word ?? "") + character;
  }
  if (quote !== undefined) return refuse("a quote is not closed");
  if (word !== undefined) words.push(word);
  const [file, ...args] = words;
  return file ? { ok: true, file, args } : refuse("names no program");
}

function refuse(reason: string): SplitCommand {
  return { ok: false, reason };
}
