import { type RedactionProblem, redactionProblem } from "../problem.ts";
import { formsOf, type KnownForm } from "./known-forms.ts";

/** Shorter values occur in ordinary text, where masking would reveal them. */
export const minKnownSecretLength = 8;

/** Bounds what a stream holds back; private keys of 16384 bits are shorter. */
export const maxKnownSecretLength = 16_384;

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
