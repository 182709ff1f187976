/**
 * JSON in its canonical form (RFC 8785): members sorted by UTF-16 code units, no blanks, numbers and strings as ECMAScript
 * writes them. Throws `TypeError` for a value that JSON cannot carry.
 */
export function canonicalJson(value: unknown): string {
  switch (typeof value) {
    case "string":
      if (!value.isWellFormed()) throw new TypeError("a text has half of a surrogate pair");
      return JSON.stringify(value);
    case "number":
      if (!Number.isFinite(value)) throw new TypeError(`${value} has no form in JSON`);
      return JSON.stringify(value);
    case "boolean":
      return String(value);
    case "object":
      if (value === null) return "null";
      if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
      return canonicalObject(value);
    default:
      throw new TypeError(`a ${typeof value} has no form in JSON`);
  }
}

/** As in `JSON.stringify`, members that are undefined are left out, and `toJSON` is used. */
function canonicalObject(value: object): string {
  if ("toJSON" in value && typeof value.toJSON === "function") return canonicalJson(value.toJSON());
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${canonicalJson(name)}:${canonicalJson(member)}`).join(",")}}`;
}
