import { parseVersion, sameMajor } from "./semver.ts";

/** Whether a message that was written under another schema version can be read (A §2.15, §3.2 step 7). */
export type SchemaVersionVerdict =
  | { readonly accepted: true }
  | { readonly accepted: false; readonly reason: string };

/**
 * A newer minor version only adds fields, and those survive in a message that is passed on, so it is accepted; another
 * major version may mean something else by the same bytes, so it is not.
 */
export function checkSchemaVersion(ours: string, theirs: string): SchemaVersionVerdict {
  const own = parseVersion(ours);
  const received = parseVersion(theirs);
  if (!own || !received) {
    const culprit = received ? ours : theirs;
    return { accepted: false, reason: `"${culprit}" is not a version: expected MAJOR.MINOR.PATCH` };
  }
  if (sameMajor(own, received)) return { accepted: true };
  return {
    accepted: false,
    reason: `schema version ${theirs} cannot be read by ${ours}: the major version differs`,
  };
}
