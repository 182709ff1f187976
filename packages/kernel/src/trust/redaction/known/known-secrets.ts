import { type RedactionProblem, redactionProblem } from "../problem.ts";
import { base64Encodings, hex, jsonEncodings, toBase64Url, urlEncodings, utf8 } from "./encodings.ts";

/** Shorter values occur in ordinary text, where masking would reveal them. */
const minKnownSecretLength = 8;

/** Bounds what a stream holds back; private keys of 16384 bits are shorter. */
const maxKnownSecretLength = 16_384;

/** Problems name a value by its index in the list, never by its content. */
export function readKnownSecrets(
  values: readonly string[],
  markers: readonly string[],
): { readonly forms: readonly KnownForm[]; readonly problems: readonly RedactionProblem[] } {
  const problems: RedactionProblem[] = [];
  const forms = new Map<string, KnownForm>();
  for (const [index, given] of values.entries()) {
    const value = given.replace(/^[\0- \x7f]+/, "").trimEnd(); // Files of secrets often end in a line break.
    const problem = judge(value, markers);
    if (problem) {
      problems.push(redactionProblem("BATON-REDACTION-004", `known_secrets[${index}]`, problem));
      continue;
    }
    for (const form of formsOf(value)) if (!forms.has(form.text)) forms.set(form.text, form);
  }
  return { forms: [...forms.values()], problems };
}

function judge(value: string, markers: readonly string[]): string | undefined {
  if (value.length < minKnownSecretLength) return `has fewer than ${minKnownSecretLength} characters`;
  if (value.length > maxKnownSecretLength) return `has more than ${maxKnownSecretLength} characters`;
  if (!value.isWellFormed()) return "is not well-formed text";
  if (markers.some((marker) => marker.includes(value))) return "is part of a marker that redaction writes";
  return undefined;
}

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
