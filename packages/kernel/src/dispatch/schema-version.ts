/** Whether a message that was written under another schema version can be read (A §2.15, §3.2 step 7). */
export type SchemaVersionVerdict =
  | { readonly accepted: true }
  | { readonly accepted: false; readonly reason: string };

/**
 * A newer minor version only adds fields, and those survive in a message that is passed on, so it is accepted; another
 * major version may mean something else by the same bytes, so it is not. Before 1.0 every minor version is a major one.
 */
export function judgeSchemaVersion(ours: string, theirs: string): SchemaVersionVerdict {
  const own = parse(ours);
  const received = parse(theirs);
  if (!own || !received) {
    const culprit = received ? ours : theirs;
    return { accepted: false, reason: `"${culprit}" is not a version: expected MAJOR.MINOR.PATCH` };
  }
  const sameMajor = own.major === received.major && (own.major > 0 || own.minor === received.minor);
  if (sameMajor) return { accepted: true };
  return {
    accepted: false,
    reason: `schema version ${theirs} cannot be read by ${ours}: the major version differs`,
  };
}

/** Digits are bounded so that a version is always an exact number. */
const pattern =
  /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})(?:-[0-9A-Za-z.-]{1,64})?(?:\+[0-9A-Za-z.-]{1,64})?$/;

function parse(version: string): { major: number; minor: number } | undefined {
  const [, major, minor] = pattern.exec(version) ?? [];
  return major === undefined ? undefined : { major: Number(major), minor: Number(minor) };
}
