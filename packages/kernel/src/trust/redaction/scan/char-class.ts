/** Sets of characters as bits of one number: membership is one lookup in a table of 128 entries. */
export const charClass = {
  digit: 1 << 0,
  upper: 1 << 1,
  lower: 1 << 2,
  hex: 1 << 3,
  symbolOfBase64: 1 << 4,
  /** The variant of base64 for URLs: "-" and "_". */
  symbolOfBase64Url: 1 << 5,
  underscore: 1 << 6,
  dot: 1 << 7,
  dash: 1 << 8,
  /** Every visible and every non-ASCII character. */
  visible: 1 << 9,
  /** The characters before the "@" of an address, besides letters, digits, "." and "-". */
  symbolOfMailbox: 1 << 10,
  /** Ends an unquoted value. */
  endsValue: 1 << 11,
  /** Belongs to the surrounding text at the end of an unquoted value. */
  closer: 1 << 12,
  backslash: 1 << 13,
  newline: 1 << 14,
  doubleQuote: 1 << 15,
  tilde: 1 << 16,
  colon: 1 << 17,
  /** White space and marks in the armour of a key, besides base64. */
  symbolOfArmour: 1 << 18,
} as const;

export const letter = charClass.upper | charClass.lower;
export const alphanumeric = letter | charClass.digit;
export const identifier = alphanumeric | charClass.underscore;
export const base64 = alphanumeric | charClass.symbolOfBase64;
export const base64Url = alphanumeric | charClass.symbolOfBase64Url;
export const domain = alphanumeric | charClass.dot | charClass.dash;

const members: readonly (readonly [bit: number, characters: string])[] = [
  [charClass.digit, "0123456789"],
  [charClass.upper, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"],
  [charClass.lower, "abcdefghijklmnopqrstuvwxyz"],
  [charClass.hex, "0123456789abcdefABCDEF"],
  [charClass.symbolOfBase64, "+/="],
  [charClass.symbolOfBase64Url, "-_"],
  [charClass.underscore, "_"],
  [charClass.dot, "."],
  [charClass.dash, "-"],
  [charClass.symbolOfMailbox, "_+%"],
  [charClass.endsValue, "&;\"'`<|"],
  [charClass.closer, ",)]}>"],
  [charClass.backslash, "\\"],
  [charClass.newline, "\n\r"],
  [charClass.doubleQuote, '"'],
  [charClass.tilde, "~"],
  [charClass.colon, ":"],
  [charClass.symbolOfArmour, " \t\r\n:,-_\\.\"'()"],
];

const table = new Uint32Array(128);
for (const [bit, characters] of members) {
  for (const character of characters) table[character.charCodeAt(0)] = classesAt(character) | bit;
}
for (let code = 0x21; code < 0x7f; code++) table[code] = (table[code] as number) | charClass.visible;

function classesAt(character: string): number {
  return table[character.charCodeAt(0)] as number;
}

/** The sets of a UTF-16 unit; empty for -1, which means no character. */
export function classesOf(code: number): number {
  if (code >= 128) return charClass.visible;
  return code < 0 ? 0 : (table[code] as number);
}

export function isIn(code: number, classes: number): boolean {
  return (classesOf(code) & classes) !== 0;
}

/** The ASCII characters of the sets. */
export function charactersIn(classes: number): readonly string[] {
  const codes = Array.from({ length: 128 }, (_, code) => code);
  return codes.filter((code) => isIn(code, classes)).map((code) => String.fromCharCode(code));
}
