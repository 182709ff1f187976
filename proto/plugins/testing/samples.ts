/** JSON of valid messages, and values that lie on both sides of every rule: what the schemas are tried on. */
import {
  type DescField,
  type DescMessage,
  type JsonObject,
  type JsonValue,
  ScalarType,
} from "@bufbuild/protobuf";
import { rulesOfField } from "../rules.ts";

const uuid = "1b4e28ba-2fa1-41d2-883f-0016d3cca427";

/** A valid message with every field set; `choice` picks the arm of its oneofs. */
export function validSample(message: DescMessage, choice: number): JsonObject {
  const fields = message.members.map((member) =>
    member.kind === "field" ? member : (member.fields[choice % member.fields.length] as DescField),
  );
  return Object.fromEntries(fields.map((field) => [field.jsonName, goodValue(field, choice)]));
}

/** A place in a sample that can be changed: a field, there or not, of the message itself or of one inside it. */
export interface Place {
  readonly holder: JsonObject;
  readonly field: DescField;
}

export function placesIn(message: DescMessage, holder: JsonObject): Place[] {
  return message.fields.flatMap((field) => [
    { holder, field },
    ...placesWithin(field, holder[field.jsonName]),
  ]);
}

function placesWithin({ message }: DescField, value: JsonValue | undefined): Place[] {
  if (message === undefined || isWellKnown(message)) return [];
  const parts = Array.isArray(value) ? value : [value];
  return parts.flatMap((part) => (isObject(part) ? placesIn(message, part) : []));
}

/** Values a field may be given: good, bad, of another type, and undefined for none. */
export function candidatesFor(field: DescField): (JsonValue | undefined)[] {
  if (field.fieldKind !== "list") return [undefined, ...singleCandidates(field)];
  const item = goodItem(field, 0);
  const { minItems = 0, maxItems = 3 } = rulesOfField(field).limits;
  const lengths = [0, minItems, maxItems, maxItems + 1];
  return [undefined, {}, ...lengths.map((length) => Array<JsonValue>(length).fill(item)), [[]]];
}

function singleCandidates(field: DescField): JsonValue[] {
  if (field.message !== undefined) return messageCandidates(field.message);
  if (field.enum !== undefined) {
    return [...field.enum.values.map(({ name }) => name), "UNKNOWN", 99, "", true];
  }
  const { minLength = 1, maxLength = 10 } = rulesOfField(field).limits;
  switch (field.scalar) {
    case ScalarType.STRING:
      return [
        "",
        "x",
        uuid,
        "🙂".repeat(minLength),
        "🙂".repeat(maxLength),
        "🙂".repeat(maxLength + 1),
        1,
        {},
      ];
    case ScalarType.BYTES:
      return [0, 31, 32, 33].map((length) => Buffer.alloc(length, 255).toString("base64")).concat("!");
    case ScalarType.INT64:
      return ["-1", "0", "1", -1, 0, 1, "9223372036854775807", "x", true, 0.5];
    case ScalarType.DOUBLE:
      return [-1, 0, 0.5, 1, 2, "NaN", "Infinity", "-Infinity", "x", false];
    case ScalarType.BOOL:
      return [true, false, "true", 1];
    default:
      return [-1, 0, 1, 100, 101, 0.5, 2 ** 31, "x", []];
  }
}

function messageCandidates(message: DescMessage): JsonValue[] {
  switch (message.typeName) {
    case "google.protobuf.Timestamp":
      return [
        "2026-01-31T12:00:00Z",
        "2026-01-31T12:00:00.123456789+02:00",
        "2026-13-31T12:00:00Z",
        "now",
        1,
      ];
    case "google.protobuf.Duration":
      return ["-1s", "-0.5s", "0s", "0.000000001s", "90s", "1h", 1];
    case "google.protobuf.Struct":
      return [{}, { deep: [{ value: null }] }, "x", []];
    default:
      return [{}, validSample(message, 0), validSample(message, 1), "x", []];
  }
}

function goodValue(field: DescField, choice: number): JsonValue {
  return field.fieldKind === "list" ? [goodItem(field, choice)] : goodItem(field, choice);
}

function goodItem(field: DescField, choice: number): JsonValue {
  if (field.message !== undefined) return goodMessage(field.message, choice);
  const { isUuid, minLength = 1, byteLength = 1, notIn = [] } = rulesOfField(field).limits;
  if (field.enum !== undefined)
    return field.enum.values.findLast(({ number }) => !notIn.includes(number))?.name ?? "";
  switch (field.scalar) {
    case ScalarType.STRING:
      return isUuid === true ? uuid : "x".repeat(minLength);
    case ScalarType.BYTES:
      return Buffer.alloc(byteLength, 255).toString("base64");
    case ScalarType.INT64:
      return "1";
    case ScalarType.BOOL:
      return true;
    default:
      return 1;
  }
}

function goodMessage(message: DescMessage, choice: number): JsonValue {
  switch (message.typeName) {
    case "google.protobuf.Timestamp":
      return "2026-01-31T12:00:00Z";
    case "google.protobuf.Duration":
      return "90s";
    case "google.protobuf.Struct":
      return { any: "thing" };
    default:
      return validSample(message, choice);
  }
}

function isWellKnown({ typeName }: DescMessage): boolean {
  return typeName.startsWith("google.protobuf.");
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
