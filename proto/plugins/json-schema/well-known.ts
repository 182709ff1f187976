import type { DescMessage, JsonObject } from "@bufbuild/protobuf";
import type { Limits } from "../rules.ts";

/** Formats are only notes to most validators, so a pattern goes with them. */
const schemas: Readonly<Record<string, JsonObject>> = {
  "google.protobuf.Timestamp": {
    title: "Timestamp",
    description: "An instant (RFC 3339), such as 2026-01-31T12:00:00Z, with up to nine digits of a second.",
    type: "string",
    format: "date-time",
    pattern:
      "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})$",
  },
  "google.protobuf.Duration": {
    title: "Duration",
    description: "A length of time in seconds, such as 90s or 1.5s, with up to nine digits of a second.",
    type: "string",
    pattern: "^-?[0-9]{1,12}([.][0-9]{1,9})?s$",
  },
  "google.protobuf.Struct": { title: "Struct", description: "Any JSON object.", type: "object" },
  "google.protobuf.Value": { title: "Value", description: "Any JSON value." },
  "google.protobuf.ListValue": { title: "ListValue", description: "Any JSON array.", type: "array" },
};

/** The types of protobuf itself that JSON writes in a way of its own. */
export function wellKnownSchema({ typeName }: DescMessage): JsonObject | undefined {
  const schema = schemas[typeName];
  if (schema === undefined && typeName.startsWith("google.protobuf.")) {
    throw new Error(`the JSON form of ${typeName} is missing in proto/plugins/json-schema/well-known.ts`);
  }
  return schema;
}

/** The bounds of a duration that a pattern can check: the sign, and whether it is zero. */
export function durationPattern({ longerThan, noShorterThan }: Limits): JsonObject {
  if (longerThan === "0s") return { type: "string", pattern: "^[0-9.]*[1-9]" };
  if (noShorterThan === "0s") return { type: "string", pattern: "^[0-9]" };
  return {};
}
