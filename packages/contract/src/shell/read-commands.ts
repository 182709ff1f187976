/**
 * Reads a line of shell into the simple commands that running it may execute: those of lists, pipelines, subshells,
 * substitutions, functions and loops. It expands nothing. What only a shell could know becomes a mark inside the word:
 *
 * - `unknownText`: some text, one word ("$X", "$(cmd)")
 * - `unknownWords`: some text that may become no word or several ($X, $(cmd), *.ts, {a,b})
 */
export const unknownText = "\u0000";
export const unknownWords = "\u0001";

export interface SimpleCommand {
  /** Quotes removed; the first is the program. */
  readonly words: readonly string[];
  /** The assignments before the program: `A=b program`. */
  readonly assigned: readonly string[];
  /** What the command reads from a here-document or here-string; `unknownWords` where a pipe feeds it. */
  readonly input: string | undefined;
}

/** Limits of what is read. Beyond them a line counts as one that cannot be read. */
const mostCharacters = 65_536;
const mostCommands = 2_000;
const deepest = 16;

/** Undefined when the line cannot be read: an open quote or bracket, or larger than the limits. */
export function readCommands(line: string): readonly SimpleCommand[] | undefined {
  if (line.length > mostCharacters) return undefined;
  const found: SimpleCommand[] = [];
  try {
    // Control characters would look like marks of our own.
    new Reader(line.replaceAll(unknownText, " ").replaceAll(unknownWords, " "), found, 0).readList(undefined);
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
  return found;
}

class Unreadable extends Error {}

/** In command position these begin or end a compound command; what follows is in command position again. */
const keywords = new Set(
  "if then else elif fi do done while until for case esac select function in { } ! coproc".split(" "),
);
const assignment = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;

class Reader {
  readonly #text: string;
  readonly #found: SimpleCommand[];
  readonly #depth: number;
  /** Inner readers see the rest of the text only, so that an assignment before them counts for the outer one. */
  readonly #setsPath: boolean;
  #at = 0;
  #words: string[] = [];
  #input: string | undefined;
  #isPiped = false;
  #openBraces = 0;
  readonly #pending: { readonly delimiter: string; readonly isLiteral: boolean; readonly strips: boolean }[] =
    [];

  constructor(text: string, found: SimpleCommand[], depth: number) {
    if (depth > deepest) throw new Unreadable();
    this.#text = text;
    this.#setsPath = /(?:HOME|PWD|TMPDIR)\+?=/.test(text);
    this.#found = found;
    this.#depth = depth;
  }

  get position(): number {
    return this.#at;
  }

  /** Reads commands until the closing character, which it takes, or until the end. */
  readList(closing: ")" | undefined): void {
    for (;;) {
      this.#skipBlanks();
      const letter = this.#peek();
      if (letter === "") break;
      if (letter === ")" && closing !== undefined) {
        this.#end(false);
        this.#at++;
        return;
      }
      if (letter === "\n") this.#readLineEnd();
      else if (letter === "#") this.#skipComment();
      else if (letter === "&" && this.#peek(1) === ">") this.#readRedirection();
      else if (letter === ";" || letter === "&" || letter === "|") this.#readOperator(letter);
      else if (letter === "(" || letter === ")") this.#readBracket();
      else if ((letter === "<" || letter === ">") && this.#peek(1) !== "(") this.#readRedirection();
      else this.#readArgument();
    }
    if (closing !== undefined || this.#pending.length > 0) throw new Unreadable();
    this.#end(false);
  }

  #readOperator(letter: string): void {
    const isPipe = letter === "|" && this.#peek(1) !== "|";
    while (/[;&|]/.test(this.#peek())) this.#at++;
    this.#end(isPipe);
  }

  /** A subshell, the brackets of a function, or those of a case's pattern: what is inside is commands, or harmless. */
  #readBracket(): void {
    this.#at++;
    this.#end(false);
  }

  #readLineEnd(): void {
    this.#at++;
    for (const { delimiter, isLiteral, strips } of this.#pending.splice(0)) {
      const body: string[] = [];
      for (;;) {
        if (this.#at >= this.#text.length) throw new Unreadable();
        const end = this.#text.indexOf("\n", this.#at);
        const line = this.#text.slice(this.#at, end < 0 ? undefined : end);
        this.#at = end < 0 ? this.#text.length : end + 1;
        const bare = strips ? line.replace(/^\t+/, "") : line;
        if (bare === delimiter) break;
        body.push(bare);
      }
      const text = body.join("\n");
      this.#input = isLiteral ? text : this.#expandBody(text);
    }
    this.#end(false);
  }

  /** The body of a here-document: substitutions run, and leave unknown text. */
  #expandBody(text: string): string {
    const inner = new Reader(text, this.#found, this.#depth + 1);
    return inner.#readQuoted("");
  }

  #readRedirection(): void {
    const operator = /^(?:&>>?|<<<|<<-?|<>|>>|>\||[<>]&?)/.exec(this.#text.slice(this.#at, this.#at + 3));
    const [taken = "<"] = operator ?? [];
    this.#at += taken.length;
    this.#skipBlanks();
    const start = this.#at;
    const target = this.#readWord();
    if (taken === "<<<") this.#input = target;
    if (taken === "<<" || taken === "<<-") {
      const isLiteral = /['"\\]/.test(this.#text.slice(start, this.#at));
      this.#pending.push({ delimiter: target, isLiteral, strips: taken === "<<-" });
    }
  }

  #readArgument(): void {
    const start = this.#at;
    const word = this.#readWord();
    if (this.#at === start) throw new Unreadable();
    // A number in front of a redirection names the file descriptor.
    if (/^\d+$/.test(this.#text.slice(start, this.#at)) && /[<>]/.test(this.#peek())) return;
    const isBare = this.#text.slice(start, this.#at) === word;
    if (isBare && keywords.has(word) && this.#words.every((one) => assignment.test(one))) return;
    this.#words.push(word);
  }

  #end(feedsNext: boolean): void {
    const start = this.#words.findIndex((word) => !assignment.test(word));
    const assigned = this.#words.slice(0, start < 0 ? undefined : start);
    const words = start < 0 ? [] : this.#words.slice(start);
    const input = this.#input ?? (this.#isPiped ? unknownWords : undefined);
    if (this.#words.length > 0) {
      if (this.#found.length >= mostCommands) throw new Unreadable();
      this.#found.push({ words, assigned, input });
    }
    // A here-document that begins in a pipeline belongs to the command before the line's end; that is close enough.
    this.#words = [];
    this.#input = undefined;
    this.#isPiped = feedsNext;
  }

  #readWord(): string {
    let word = "";
    for (;;) {
      const letter = this.#peek();
      if (letter === "" || /[\s;&|()]/.test(letter)) return word;
      if (letter === "<" || letter === ">") {
        if (this.#peek(1) !== "(") return word;
        this.#at += 2;
        this.#readInner();
        word += "/dev/fd/63";
      } else if (letter === "'") word += this.#readSingle();
      else if (letter === '"') {
        this.#at++;
        word += this.#readQuoted('"');
      } else if (letter === "\\") {
        const escaped = this.#peek(1);
        this.#at += 2;
        if (escaped !== "\n") word += escaped;
      } else if (letter === "$" || letter === "`") word += this.#readExpansion(false);
      else {
        this.#at++;
        word += /[*?[{]/.test(letter) && this.#isPattern(letter) ? unknownWords : letter;
      }
    }
  }

  /** `{` alone is a keyword and `[` a program; inside a word they make several out of one. */
  #isPattern(letter: string): boolean {
    return letter === "*" || letter === "?" || !/^(?:$|[\s;&|()])/.test(this.#peek());
  }

  #readSingle(): string {
    const end = this.#text.indexOf("'", this.#at + 1);
    if (end < 0) throw new Unreadable();
    const inside = this.#text.slice(this.#at + 1, end);
    this.#at = end + 1;
    return inside;
  }

  /** Up to the closing quote, which it takes; with no closing quote up to the end. */
  #readQuoted(closing: '"' | ""): string {
    let inside = "";
    for (;;) {
      const letter = this.#peek();
      if (letter === "") {
        if (closing === "") return inside;
        throw new Unreadable();
      }
      if (letter === closing) {
        this.#at++;
        return inside;
      }
      if (letter === "\\") {
        const escaped = this.#peek(1);
        this.#at += 2;
        if (escaped !== "\n") inside += /[$`"\\]/.test(escaped) ? escaped : `\\${escaped}`;
      } else if (letter === "$" || letter === "`") inside += this.#readExpansion(true);
      else {
        this.#at++;
        inside += letter;
      }
    }
  }

  #readExpansion(isQuoted: boolean): string {
    const unknown = isQuoted ? unknownText : unknownWords;
    const [first, second] = [this.#peek(), this.#peek(1)];
    if (first === "`") return this.#readBackticks(unknown);
    if (second === "(") {
      this.#at += 2;
      this.#readInner();
      return unknown;
    }
    if (second === "{") {
      this.#at += 2;
      this.#readBraces();
      return unknown;
    }
    if (second === "'" && !isQuoted) return this.#readEscapes();
    if (second === '"' && !isQuoted) {
      this.#at += 2;
      return this.#readQuoted('"');
    }
    const name = /^\$(?:\w+|[@*#?$!-])/.exec(this.#text.slice(this.#at, this.#at + 256))?.[0];
    this.#at += name?.length ?? 1;
    if (name === "$@" || name === "$*") return unknownWords;
    return name === undefined ? "$" : this.#isOneWord(name) ? unknownText : unknown;
  }

  /** Paths that hold no blanks in practice, so that `$HOME/bin/tool` is some `tool`, as long as the line does not set them. */
  #isOneWord(name: string): boolean {
    return /^\$(?:HOME|PWD|TMPDIR)$/.test(name) && !this.#setsPath;
  }

  /** Commands within `$( )`, `<( )` or `>( )`. */
  #readInner(): void {
    const inner = new Reader(this.#text.slice(this.#at), this.#found, this.#depth + 1);
    inner.readList(")");
    this.#at += inner.position;
  }

  #readBackticks(unknown: string): string {
    let end = this.#at + 1;
    while (end < this.#text.length && this.#text[end] !== "`") end += this.#text[end] === "\\" ? 2 : 1;
    if (end >= this.#text.length) throw new Unreadable();
    const inside = this.#text.slice(this.#at + 1, end).replaceAll(/\\([$`\\])/g, "$1");
    this.#at = end + 1;
    new Reader(inside, this.#found, this.#depth + 1).readList(undefined);
    return unknown;
  }

  /** `${…}` may hold substitutions of its own. */
  #readBraces(): void {
    if (++this.#openBraces > deepest) throw new Unreadable();
    for (;;) {
      const letter = this.#peek();
      if (letter === "") throw new Unreadable();
      if (letter === "}") {
        this.#at++;
        this.#openBraces--;
        return;
      }
      if (letter === "'") this.#readSingle();
      else if (letter === '"') {
        this.#at++;
        this.#readQuoted('"');
      } else if (letter === "\\") this.#at += 2;
      else if (letter === "$" || letter === "`") this.#readExpansion(false);
      else this.#at++;
    }
  }

  /** `$'…'` with the escapes of C. */
  #readEscapes(): string {
    const match = /^\$'((?:[^'\\]|\\[\s\S])*)'/.exec(this.#text.slice(this.#at));
    if (match === null) throw new Unreadable();
    this.#at += match[0].length;
    return (match[1] ?? "").replaceAll(
      /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,6})|([0-7]{1,3})|([\s\S]))/g,
      (_, hex, short, long, octal, letter) => {
        if (letter !== undefined)
          return { n: "\n", t: "\t", r: "\r", a: "", b: "", e: "" }[letter as "n"] ?? letter;
        const code =
          octal === undefined ? Number.parseInt(hex ?? short ?? long, 16) : Number.parseInt(octal, 8);
        return code > 0x10ffff ? "" : String.fromCodePoint(code);
      },
    );
  }

  #skipBlanks(): void {
    while (/[ \t\r\f\v]/.test(this.#peek()) || (this.#peek() === "\\" && this.#peek(1) === "\n")) {
      this.#at += this.#peek() === "\\" ? 2 : 1;
    }
  }

  #skipComment(): void {
    const end = this.#text.indexOf("\n", this.#at);
    this.#at = end < 0 ? this.#text.length : end;
  }

  #peek(ahead = 0): string {
    return this.#text.charAt(this.#at + ahead);
  }
}
