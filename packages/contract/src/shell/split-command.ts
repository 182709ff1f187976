/**
 * The words of a command line as a shell would part them; undefined when only a shell could run it (pipes, variables,
 * wildcards, several commands), which neither hub nor agents ever ask one to do. Both read the commands of a contract with
 * this, so that they cannot mean different things by the same check.
 */
export function splitCommand(line: string): string[] | undefined {
  const words: string[] = [];
  let rest = line.trim();
  while (rest !== "") {
    const word = takeWord(rest);
    if (word === undefined) return undefined;
    words.push(word.text);
    rest = rest.slice(word.length).trimStart();
  }
  return words;
}

/** Quoted pieces, escaped characters and plain ones, as long as they follow each other. */
const piece = /'([^']*)'|"((?:[^"\\$`]|\\["\\$`])*)"|\\([^\n])|([^\s'"\\|&;<>()$`*?[\]{}~#!]|(?<=\S)[~#!])/y;

function takeWord(text: string): { readonly text: string; readonly length: number } | undefined {
  let word = "";
  piece.lastIndex = 0;
  let end = 0;
  for (let match = piece.exec(text); match; match = piece.exec(text)) {
    const [, single, double, escaped, plain] = match;
    word += single ?? double?.replaceAll(/\\(["\\$`])/g, "$1") ?? escaped ?? plain ?? "";
    end = piece.lastIndex;
  }
  return end > 0 && (end === text.length || /\s/.test(text.charAt(end)))
    ? { text: word, length: end }
    : undefined;
}
