import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";

/** What the tags of a message may say. */
export interface Shape {
  readonly name: string;
  /** Whether a reader of JSON would see a level of nesting here: not in the entry of a map, nor around a value. */
  readonly level: 0 | 1;
  readonly fields: ReadonlyMap<number, FieldShape>;
}

export interface FieldShape {
  readonly name: string;
  readonly wireType: WireType;
  /** Numbers of a list may come one by one or packed. */
  readonly packable: boolean;
  /** Whether an occurrence becomes an object or an element of a list. */
  readonly element: boolean;
  /** Looked up when it is met, because messages may contain themselves. */
  readonly message: (() => Shape) | undefined;
}

const shapes = new WeakMap<DescMessage, Shape>();

/** The shape of a message, worked out at its first use. */
export function shapeOf(schema: DescMessage): Shape {
  let shape = shapes.get(schema);
  if (!shape) {
    const fields = schema.fields.map((field): [number, FieldShape] => [field.number, fieldShape(field)]);
    const level = schema.typeName === "google.protobuf.Value" ? 0 : 1;
    shape = { name: schema.name, level, fields: new Map(fields) };
    shapes.set(schema, shape);
  }
  return shape;
}

function fieldShape(field: DescField): FieldShape {
  const { name } = field;
  if (field.fieldKind === "map") {
    const entry = entryShape(field);
    return messageShape(name, () => entry);
  }
  const { message } = field;
  if (message) return messageShape(name, () => shapeOf(message));
  return scalarShape(name, field.scalar, field.fieldKind === "list");
}

/** A map travels as a list of entries with a key and a value. */
function entryShape({ name, mapKey, message, scalar }: DescField & { fieldKind: "map" }): Shape {
  const value = message ? messageShape("value", () => shapeOf(message)) : scalarShape("value", scalar, false);
  return {
    name,
    level: 0,
    fields: new Map([
      [1, scalarShape("key", mapKey, false)],
      [2, value],
    ]),
  };
}

function messageShape(name: string, message: () => Shape): FieldShape {
  return { name, wireType: WireType.LengthDelimited, packable: false, element: true, message };
}

function scalarShape(name: string, scalar: ScalarType | undefined, list: boolean): FieldShape {
  const wireType = wireTypeOf(scalar);
  const packable = list && wireType !== WireType.LengthDelimited;
  return { name, wireType, packable, element: list, message: undefined };
}

/** An enum has no scalar type and travels as a number. */
function wireTypeOf(scalar: ScalarType | undefined): WireType {
  switch (scalar) {
    case ScalarType.STRING:
    case ScalarType.BYTES:
      return WireType.LengthDelimited;
    case ScalarType.DOUBLE:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return WireType.Bit64;
    case ScalarType.FLOAT:
    case ScalarType.FIXED32:
    case ScalarType.SFIXED32:
      return WireType.Bit32;
    default:
      return WireType.Varint;
  }
}
