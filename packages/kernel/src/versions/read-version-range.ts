import { parseVersion, type Version } from "./semver.ts";

/** One side of a range. */
export interface Comparator {
  readonly operator: ">=" | "<=" | ">" | "<";
  readonly bound: Version;
}

/**
 * Parses a range in npm's notation: alternatives divided by `||`, each a list of comparators that must all hold. Spaces are
 * allowed after an operator. Undefined for an invalid range.
 */
export function readRange(range: string): readonly (readonly Comparator[])[] | undefined {
  const alternatives = range.split("||").map(readAlternative);
  return alternatives.every((one) => one !== undefined) ? alternatives : undefined;
}

const operators = /(\^|~|>=|<=|>|<|=)\s+/g;

function readAlternative(text: string): readonly Comparator[] | undefined {
  const [, from, to] = /^\s*(\S+)\s+-\s+(\S+)\s*$/.exec(text) ?? [];
  if (from !== undefined && to !== undefined) return both(readPart(">=", from), readPart("<=", to));
  const parts = text.trim().replaceAll(operators, "$1").split(/\s+/).map(readOne);
  return parts.every((one) => one !== undefined) ? parts.flat() : undefined;
}

function readOne(part: string): readonly Comparator[] | undefined {
  const [, operator = "", text = ""] = /^(\^|~|>=|<=|>|<|=)?(.*)$/.exec(part) ?? [];
  return readPart(operator, text);
}

function both(
  one: readonly Comparator[] | undefined,
  other: readonly Comparator[] | undefined,
): readonly Comparator[] | undefined {
  return one && other && [...one, ...other];
}

/** A version with missing or wildcard parts: `1`, `1.x`, `1.2`, `v1.2.3`. */
interface Partial {
  readonly major?: number;
  readonly minor?: number;
  readonly full?: Version;
}

const wildcard = "(?:[xX*])";
const partialPattern = new RegExp(
  `^(?:${wildcard}|(0|[1-9]\\d{0,8})(?:\\.(?:${wildcard}(?:\\.${wildcard})?|(0|[1-9]\\d{0,8})(?:\\.${wildcard})?))?)$`,
);

function readPartial(text: string): Partial | undefined {
  const plain = text.replace(/^v(?=\d)/, "");
  const full = parseVersion(plain);
  if (full) return { major: full.major, minor: full.minor, full };
  const [whole, major, minor] = partialPattern.exec(plain) ?? [];
  if (whole === undefined) return undefined;
  return {
    ...(major !== undefined && { major: Number(major) }),
    ...(minor !== undefined && { minor: Number(minor) }),
  };
}

function readPart(operator: string, text: string): readonly Comparator[] | undefined {
  const partial = readPartial(text);
  if (!partial) return undefined;
  const { major, minor, full } = partial;
  // A wildcard matches everything, but nothing is above or below everything.
  if (major === undefined)
    return operator === ">" || operator === "<" ? from(release(0, 0, 0), release(0, 0, 0)) : [];
  const least = full ?? release(major, minor ?? 0, 0);
  switch (operator) {
    case ">=":
      return [{ operator, bound: least }];
    case ">":
      return [full ? { operator, bound: full } : { operator: ">=", bound: afterPart(major, minor) }];
    case "<":
      return [full ? { operator, bound: full } : below(least)];
    case "<=":
      return [full ? { operator, bound: full } : below(afterPart(major, minor))];
    case "^":
      return from(least, afterCaret(partial, major));
    case "~":
      return from(least, afterPart(major, minor));
    case "=":
      return full ? exactly(full) : from(least, afterPart(major, minor));
    default: // A bare version: everything of the same major version.
      return full
        ? from(
            lowest(release(major, major > 0 ? 0 : full.minor, 0)),
            afterCaret({ minor: full.minor }, major),
          )
        : from(lowest(least), afterPart(major, minor));
  }
}

/** The first version that differs in the leftmost non-zero part: before 1.0 a minor version may break. */
function afterCaret({ minor, full }: Partial, major: number): Version {
  if (major > 0 || minor === undefined) return release(major + 1, 0, 0);
  if (minor > 0 || !full) return release(0, minor + 1, 0);
  return release(0, 0, full.patch + 1);
}

/** The first version after all with this prefix. */
function afterPart(major: number, minor: number | undefined): Version {
  return minor === undefined ? release(major + 1, 0, 0) : release(major, minor + 1, 0);
}

function from(least: Version, after: Version): readonly Comparator[] {
  return [{ operator: ">=", bound: least }, below(after)];
}

function exactly(bound: Version): readonly Comparator[] {
  return [
    { operator: ">=", bound },
    { operator: "<=", bound },
  ];
}

/** Below a release and all its pre-releases. */
function below(release: Version): Comparator {
  return { operator: "<", bound: lowest(release) };
}

function lowest(version: Version): Version {
  return { ...version, preRelease: ["0"] };
}

function release(major: number, minor: number, patch: number): Version {
  return { major, minor, patch, preRelease: [] };
}
