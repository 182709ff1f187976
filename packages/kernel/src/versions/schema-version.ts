import { parseVersion, sameMajor } from "./semver.ts";

/** Whether a message with another schema version can be read (A §2.15, §3.2 step 7). */
type SchemaVersionVerdict =
  | { readonly accepted: true }
  | { readonly accepted: false; readonly reason: string };

/**
 * Accepts a newer minor version, which only adds fields that are passed on. Refuses another major version, in which the
 * same bytes may mean something else.
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
