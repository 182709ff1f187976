/** Line and column from 1. The messages of JSON.parse differ between browsers and may lack a position. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Where a text stops being JSON; undefined when it is JSON. */
export function findJsonFault(text: string): Position | undefined {
  const reader = new Reader(text);
  const isWhole = reader.value(0) && reader.atEnd();
  return isWhole ? undefined : positionOf(text, reader.at);
}

/** Deeper nesting is reported as a fault. */
const maxDepth = 500;

const tokens = {
  space: /[ \t\n\r]*/y,
  atom: /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON strings must escape them.
  text: /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y,
};

class Reader {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  atEnd(): boolean {
    this.#take("space");
    return this.at === this.text.length;
  }

  value(depth: number): boolean {
    this.#take("space");
    const open = this.text[this.at];
    if (open === '"') return this.#take("text");
    if (open === "[") return depth < maxDepth && this.#list("]", () => this.value(depth + 1));
    if (open !== "{") return this.#take("atom");
    return depth < maxDepth && this.#list("}", () => this.#member(depth + 1));
  }

  #member(depth: number): boolean {
    this.#take("space");
    return this.#take("text") && this.#sign(":") && this.value(depth);
  }

  #list(close: string, part: () => boolean): boolean {
    this.at++;
    if (this.#sign(close)) return true;
    do if (!part()) return false;
    while (this.#sign(","));
    return this.#sign(close);
  }

  #sign(sign: string): boolean {
    this.#take("space");
    if (this.text[this.at] !== sign) return false;
    this.at++;
    return true;
  }

  #take(name: keyof typeof tokens): boolean {
    const token = tokens[name];
    token.lastIndex = this.at;
    const found = token.exec(this.text);
    if (found) this.at = token.lastIndex;
    return found !== null;
  }
}

function positionOf(text: string, at: number): Position {
  const lines = text.slice(0, at).split("\n");
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
