import { nearest } from "@baton/contract";

/**
 * Names that people read, type and search for: ids of tasks, stages, packs and instances, and task types. They appear in
 * logs, tables and paths, and as parts of other ids.
 */
export const maxNameLength = 256;

/** Control characters, line ends and direction marks make a name look different. */
const unseen = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/** Why a text is not a valid name; undefined when it is. Emptiness is checked elsewhere. */
export function nameFault(text: string): string | undefined {
  if (text.length > maxNameLength)
    return `has ${text.length} characters, and a name has ${maxNameLength} at the most`;
  if (unseen.test(text) || !text.isWellFormed()) return "has a character in it that cannot be seen";
  return text.trim() === text ? undefined : "begins or ends with a blank";
}

/** The start of a fix: the likely intended name, if one is similar. */
export function didYouMean(written: string, names: readonly string[]): string {
  const meant = nearest(written, names);
  return meant === undefined ? "" : `did you mean ${meant}? `;
}
