import type { JsonObject, JsonValue } from "@bufbuild/protobuf";

/** Combines two schemas with `allOf`; references stay within their own schema. */
export function combineSchemas(a: JsonObject | undefined, b: JsonObject | undefined): JsonObject | undefined {
  if (!a || !b) return a ?? b;
  return { allOf: [rebase(a, "#/allOf/0"), rebase(b, "#/allOf/1")] };
}

function rebase(value: JsonValue, root: string): JsonValue {
  if (Array.isArray(value)) return value.map((item) => rebase(item, root));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === "$ref" && typeof member === "string" ? member.replace(/^#/, root) : rebase(member, root),
    ]),
  );
}
