import { nearest } from "@baton/contract";

/**
 * Ids of tasks, stages, packs, instances, types of tasks: names that people read, type and search for. They stand in
 * logs, tables and paths, and as parts of other ids.
 */
export const maxNameLength = 256;

/** Controls, ends of lines, and what turns the direction of a text: a name would not look like what it is. */
const unseen = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/** Why a text cannot be a name; undefined when it can. What is empty is somebody else's to say. */
export function nameFault(text: string): string | undefined {
  if (text.length > maxNameLength)
    return `has ${text.length} characters, and a name has ${maxNameLength} at the most`;
  if (unseen.test(text) || !text.isWellFormed()) return "has a character in it that cannot be seen";
  return text.trim() === text ? undefined : "begins or ends with a blank";
}

/** The beginning of a fix: the name that was likely meant, if one is near. */
export function didYouMean(written: string, names: readonly string[]): string {
  const meant = nearest(written, names);
  return meant === undefined ? "" : `did you mean ${meant}? `;
}
