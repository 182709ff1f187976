import { type JsonObject, ScalarType } from "@bufbuild/protobuf";
import type { Limits } from "../rules.ts";

/** A scalar as protobuf's JSON form writes it. */
export function scalarSchema(type: ScalarType, limits: Limits): JsonObject {
  switch (type) {
    case ScalarType.BOOL:
      return { type: "boolean" };
    case ScalarType.STRING:
      return textSchema(limits);
    case ScalarType.BYTES:
      return bytesSchema(limits);
    case ScalarType.FLOAT:
    case ScalarType.DOUBLE:
      return floatSchema(limits);
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return { type: "integer", ...bounds(limits, 0, 2 ** 32 - 1) };
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return { type: "integer", ...bounds(limits, -(2 ** 31), 2 ** 31 - 1) };
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return longSchema({ atLeast: 0, ...limits });
    default:
      return longSchema(limits);
  }
}

/** 64 bits do not fit into a JavaScript number. */
export function isWrittenAsText(type: ScalarType): boolean {
  const long = [
    ScalarType.INT64,
    ScalarType.UINT64,
    ScalarType.SINT64,
    ScalarType.FIXED64,
    ScalarType.SFIXED64,
  ];
  return long.includes(type);
}

/** JSON Schema counts code points, as the rules do. */
function textSchema({ minLength, maxLength, isUuid }: Limits): JsonObject {
  return {
    type: "string",
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
    ...(isUuid === true && {
      format: "uuid",
      pattern: "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
    }),
  };
}

/** Base64 in either alphabet, with or without padding: a decoder takes them all. */
function bytesSchema({ byteLength }: Limits): JsonObject {
  const letters = "[A-Za-z0-9+/_-]";
  const pattern =
    byteLength === undefined
      ? `^${letters}*={0,2}$`
      : `^${letters}{${Math.ceil((byteLength * 8) / 6)}}={0,${(3 - (byteLength % 3)) % 3}}$`;
  return { type: "string", contentEncoding: "base64", pattern };
}

/** What is not a number has a name, and is allowed as far as the bounds let it pass. */
function floatSchema(limits: Limits): JsonObject {
  const numbers = { type: "number", ...bounds(limits) };
  const isBoundedBelow = limits.atLeast !== undefined || limits.moreThan !== undefined;
  const isBoundedAbove = limits.atMost !== undefined || limits.lessThan !== undefined;
  const names = [
    ...(isBoundedBelow || isBoundedAbove ? [] : ["NaN"]),
    ...(isBoundedAbove ? [] : ["Infinity"]),
    ...(isBoundedBelow ? [] : ["-Infinity"]),
  ];
  return names.length > 0 ? { anyOf: [numbers, { type: "string", enum: names }] } : numbers;
}

/**
 * Text, because a JSON number loses digits beyond 2^53; numbers up to there are taken as well. The pattern knows
 * the bounds 0 and 1, which are the ones that mean something.
 */
function longSchema(limits: Limits): JsonObject {
  const atLeast = Number(limits.atLeast ?? Number.NEGATIVE_INFINITY);
  const positive = "[1-9][0-9]{0,18}";
  const pattern =
    atLeast >= 1 ? `^${positive}$` : atLeast === 0 ? `^(0|${positive})$` : `^(0|-?${positive})$`;
  return {
    anyOf: [
      { type: "string", pattern },
      { type: "integer", ...bounds(limits, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER) },
    ],
  };
}

/** The bounds of the rules, and those of the type where the rules leave it open. */
function bounds(
  { moreThan, atLeast, lessThan, atMost }: Limits,
  lowest?: number,
  highest?: number,
): JsonObject {
  const minimum = atLeast === undefined ? lowest : Number(atLeast);
  const maximum = atMost === undefined ? highest : Number(atMost);
  return {
    ...(minimum !== undefined && { minimum }),
    ...(moreThan !== undefined && { exclusiveMinimum: Number(moreThan) }),
    ...(maximum !== undefined && { maximum }),
    ...(lessThan !== undefined && { exclusiveMaximum: Number(lessThan) }),
  };
}
