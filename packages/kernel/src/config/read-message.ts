import { type DescEnum, type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import type { Reading } from "./reading.ts";

/**
 * Reads a message as people write it into a file: fields by their names in the proto files, enum values with or without
 * their prefix, durations as 30s or 5m. Gives what `create` takes; what is wrong is noted in the reading.
 */
export function readMessage(schema: DescMessage, given: Reading): Record<string, unknown> {
  if (given.value === undefined || given.value === null) return {};
  if (typeof given.value !== "object" || Array.isArray(given.value)) {
    given.complain("must hold fields", "write each as name: value, on a line of its own");
    return {};
  }
  given.only(schema.fields.map(({ name }) => name));
  const init: Record<string, unknown> = {};
  for (const field of schema.fields) {
    const member = given.at(field.name);
    if (member.value === undefined || member.value === null) continue;
    init[field.localName] =
      field.fieldKind === "list"
        ? member.list().map((item) => readValue(field, item))
        : readValue(field, member);
  }
  return init;
}

function readValue(field: DescField, given: Reading): unknown {
  if (field.message) return readSubMessage(field.message, given);
  if (field.enum) return readEnum(field.enum, given);
  switch (field.scalar) {
    case ScalarType.BOOL:
      return given.flag(false);
    case ScalarType.INT32:
      return given.whole(0, 0);
    case ScalarType.INT64:
      return BigInt(given.whole(0, 0));
    case ScalarType.DOUBLE:
      return readNumber(given);
    default:
      return typeof given.value === "string" ? given.value : given.text();
  }
}

function readSubMessage(schema: DescMessage, given: Reading): unknown {
  if (schema.typeName === "google.protobuf.Duration") {
    const ms = given.durationMs(0);
    return { seconds: BigInt(Math.floor(ms / 1000)), nanos: (ms % 1000) * 1_000_000 };
  }
  if (schema.typeName === "google.protobuf.Struct") return given.value;
  return readMessage(schema, given);
}

function readEnum(schema: DescEnum, given: Reading): number {
  const prefix = schema.sharedPrefix?.toUpperCase() ?? "";
  const found = schema.values.find(({ name }) => name === given.value || name === `${prefix}${given.value}`);
  if (found) return found.number;
  const known = schema.values
    .filter(({ number }) => number !== 0)
    .map(({ name }) => name.slice(prefix.length));
  given.complain(
    `"${String(given.value)}" is not a value of ${schema.name}`,
    `use one of: ${known.join(", ")}`,
  );
  return 0;
}

function readNumber(given: Reading): number {
  if (typeof given.value === "number" && Number.isFinite(given.value)) return given.value;
  given.complain("must be a number", "write it as digits");
  return 0;
}
