import { type DescEnum, type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { type Field, fields, list, optional, required } from "./lists-and-fields.ts";
import { anyMapping, choice, duration, flag, number, type Shape, text, whole } from "./shape.ts";

const mostInt32 = 2 ** 31 - 1;

/**
 * A message as people write it into a file: fields by their names in the proto files, enum values with or without their
 * prefix, durations as 30s or 5m. Reads what `create` takes.
 */
export function messageShape(
  schema: DescMessage,
  instead: Readonly<Record<string, Shape<unknown>>> = {},
  mustHave: readonly string[] = [],
): Shape<Record<string, unknown>> {
  const shape = fields(messageFields(schema, instead, mustHave), schema.name);
  return {
    read: (given) => initOf(schema, shape.read(given)),
    schema: (docs) => shape.schema(docs),
  };
}

/** The fields of a message, to stand among others. */
export function messageFields(
  { fields: described }: DescMessage,
  instead: Readonly<Record<string, Shape<unknown>>> = {},
  mustHave: readonly string[] = [],
): Readonly<Record<string, Field<unknown>>> {
  const entries = described.map((field) => {
    const one = instead[field.name] ?? shapeOf(field);
    const make = mustHave.includes(field.name) ? required : optional;
    return [field.name, make(one, field)] as const;
  });
  return Object.fromEntries(entries);
}

/** What `create` takes, of what was read by the names of the proto files. */
export function initOf(
  { fields: described }: DescMessage,
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const there = described.filter(({ name }) => values[name] !== undefined);
  return Object.fromEntries(there.map(({ name, localName }) => [localName, values[name]]));
}

function shapeOf(field: DescField): Shape<unknown> {
  return field.fieldKind === "list" ? list(itemShape(field)) : itemShape(field);
}

function itemShape({ message, enum: described, scalar }: DescField): Shape<unknown> {
  if (message) return subMessage(message);
  if (described) return enumShape(described);
  switch (scalar) {
    case ScalarType.BOOL:
      return flag;
    case ScalarType.INT32:
      return whole(0, mostInt32);
    case ScalarType.INT64:
      return map(whole(0), BigInt);
    case ScalarType.DOUBLE:
      return number;
    default:
      return text({ least: 0 });
  }
}

function subMessage(schema: DescMessage): Shape<unknown> {
  if (schema.typeName === "google.protobuf.Duration") return map(duration, durationFromMs);
  return schema.typeName === "google.protobuf.Struct" ? anyMapping() : messageShape(schema);
}

/** A value of an enum by its name, with or without the prefix of the enum. */
export function enumShape(schema: DescEnum): Shape<number> {
  const prefix = schema.sharedPrefix?.toUpperCase() ?? "";
  const stated = schema.values.filter(({ number }) => number !== 0);
  const names = stated.flatMap(({ name, number }) => [
    [name.slice(prefix.length), number] as const,
    [name, number] as const,
  ]);
  return choice(`a value of ${schema.name}`, Object.fromEntries(names), 0);
}

function map<From, To>(shape: Shape<From>, make: (value: From) => To): Shape<To> {
  return { read: (given) => make(shape.read(given)), schema: (docs) => shape.schema(docs) };
}
