import { base64, charClass, classesOf } from "./char-class.ts";

/**
 * How a recognized secret continues. The recognized part is short and held back until decided; the rest has any length and
 * is masked as it arrives, without buffering.
 */
export type Tail = RunTail | MachineTail;

/** Continues through characters of some classes. Its end does not depend on its start. */
export interface RunTail {
  readonly type: "run";
  readonly goesOn: (code: number) => boolean;
  /** Up to `maxTrim` characters of these classes at its end are excluded. */
  readonly trim: number;
}

/** A state machine with a number as state. */
export interface MachineTail {
  readonly type: "machine";
  readonly begin: number;
  /** The next state, or `stopBefore`, or `stopAfter` this character. */
  readonly next: (memory: number, code: number) => number;
}

export const stopBefore = -1;
export const stopAfter = -2;

/** The number of final characters that may turn out not to belong to a tail. */
export const maxTrim = 4;

export function runOf(classes: number): RunTail {
  return { type: "run", goesOn: (code) => (classesOf(code) & classes) !== 0, trim: 0 };
}

function runUntil(classes: number, trim: number): RunTail {
  return { type: "run", goesOn: (code) => (classesOf(code) & classes) === 0, trim };
}

/** The rest of the line, or of the quoted text around a header. */
export const restOfLine: Tail = runUntil(charClass.newline | charClass.doubleQuote, charClass.backslash);

/** The rest of a text within escaped quotes, as in JSON within JSON. */
export const restOfEscapedQuote: Tail = restOfLine;

/** The rest of an unquoted value, with inner commas but without a final one. */
export const restOfValue: Tail = {
  type: "run",
  goesOn: (code) => (classesOf(code) & (charClass.visible | charClass.endsValue)) === charClass.visible,
  trim: charClass.closer | charClass.backslash,
};

/** The rest of a word in a sentence or on a command line. */
export const restOfWord: Tail = {
  type: "run",
  goesOn: (code) =>
    (classesOf(code) & charClass.visible) !== 0 && code !== 0x22 && code !== 0x27 && code !== 0x60,
  trim: charClass.closer,
};

/** The rest of a quoted text, on its line. */
export function restOfQuote(quote: string): MachineTail {
  const closing = quote.charCodeAt(0);
  const [plain, escaped] = [0, 1];
  return {
    type: "machine",
    begin: plain,
    next: (memory, code) => {
      if (code === 0x0a) return stopBefore;
      if (memory === escaped) return plain;
      if (code === closing) return stopBefore;
      return code === 0x5c ? escaped : plain;
    },
  };
}

/** Bounds a key without an end. */
export const maxArmour = 16_384;

/**
 * The rest of an armoured key: lines of base64 and headers, through the dashes of the END line. Line breaks may be escaped
 * as `
 * `. The state counts characters and dashes in a row, and whether the END line has begun.
 */
export const restOfArmour: MachineTail = {
  type: "machine",
  begin: 0,
  next: (memory, code) => {
    const inBody = base64 | charClass.symbolOfArmour;
    const [dashes, ending, length] = [memory & 7, memory & 8, memory >> 4];
    if ((classesOf(code) & inBody) === 0 || length >= maxArmour) return stopBefore;
    const counted = (length + 1) << 4;
    if (code !== 0x2d) return counted | ending;
    if (dashes < 4) return counted | ending | (dashes + 1);
    return ending ? stopAfter : counted | 8;
  },
};
