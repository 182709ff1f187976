import type { StatusName } from "@baton/protocols/sacp";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";

/** Keywords that all providers enforce. */
const known = new Set([
  ...["type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf"],
  ...["description", "title"],
]);

/**
 * The schema of a whole response, for providers that enforce one. Undefined when they would not accept it: it must name all
 * properties of every object and require each. The parser and the check of the data stand behind it in any case.
 */
export function nativeSchema(
  dataSchema: JsonObject | undefined,
  statuses: readonly StatusName[],
): JsonObject | undefined {
  if (dataSchema === undefined || !isClosed(dataSchema, 0)) return undefined;
  return {
    type: "object",
    properties: {
      thought: { type: "string" },
      status: { type: "string", enum: [...statuses] },
      // A question or a failure has no data.
      data: { anyOf: [withoutDialect(dataSchema), { type: "null" }] },
      message: { type: "string" },
    },
    required: ["thought", "status", "data", "message"],
    additionalProperties: false,
  };
}

const deepest = 5;

function isClosed(schema: JsonValue | undefined, depth: number): boolean {
  if (!isObject(schema) || depth > deepest) return false;
  const { type, properties, required, additionalProperties, items, anyOf } = withoutDialect(schema);
  if (Object.keys(withoutDialect(schema)).some((keyword) => !known.has(keyword))) return false;
  if (Array.isArray(anyOf) && !anyOf.every((one) => isClosed(one, depth + 1))) return false;
  if (type === "array") return isClosed(items, depth + 1);
  if (type !== "object") return true;
  const inner = isObject(properties) ? properties : {};
  const needed = Array.isArray(required) ? required : [];
  const isComplete = Object.keys(inner).every((name) => needed.includes(name));
  return (
    additionalProperties === false &&
    isComplete &&
    Object.values(inner).every((one) => isClosed(one, depth + 1))
  );
}

function withoutDialect({ $schema: _, $id: __, ...schema }: JsonObject): JsonObject {
  return schema;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
