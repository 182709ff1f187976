import { base64Encodings, hex, jsonEncodings, toBase64Url, urlEncodings, utf8 } from "./encodings.ts";

/** One encoding of a known value in a text. */
export interface KnownForm {
  readonly text: string;
  /** Characters before that carry some of the value's bits. */
  readonly precededBy: number;
  /** Whether it is inside base64, which is masked as a whole. */
  readonly isBase64: boolean;
}

/** Lines of a longer value are detected separately from this length on, because logs split, indent and cut them. */
const minLineLength = 16;

/** A known value, plain and in its common encodings. */
export function formsOf(value: string): readonly KnownForm[] {
  const bytes = utf8(value);
  const plain = [
    ...[value, ...linesOf(value), hex(bytes), hex(bytes).toUpperCase()],
    ...urlEncodings(value),
    ...jsonEncodings(value),
  ];
  const encoded = base64Encodings(bytes).flatMap((form) => [form, { ...form, text: toBase64Url(form.text) }]);
  return [
    ...[...new Set(plain)].map((text) => ({ text, precededBy: 0, isBase64: false })),
    ...encoded.map((form) => ({ ...form, isBase64: true })),
  ];
}

/** Without the lines around an armoured key, which are the same for every key. */
function linesOf(value: string): readonly string[] {
  const lines = value.split(/\r?\n/).map((line) => line.trim());
  return lines.length === 1
    ? []
    : lines.filter((line) => line.length >= minLineLength && !line.startsWith("-----"));
}
