import { decodeBinary, decodeJson, encodeBinary, encodeJson, validate } from "@baton/contract";
import { type JsonObject, type Message, toBinary } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { hex, invalidVectors, type Vector, validVectors } from "./vectors.ts";

/** What the two forms say alike is compared as bytes: unlike `equals` of the library, bytes know that NaN is NaN. */
function knownBytes({ schema }: Vector, message: Message): string {
  return hex(toBinary(schema, message, { writeUnknownFields: false }));
}

/** Where the manifest says that TypeScript loses something. */
function loses(form: "binary" | "json", { losses = [] }: Vector): boolean {
  return losses.some((loss) => loss.language === "typescript" && loss.form === form);
}

function violationsOf({ schema, nowMs }: Vector, message: Message): { field: string; rule: string }[] {
  const violations = validate(schema, message, nowMs === undefined ? undefined : { nowMs });
  return violations.map(({ field, rule }) => ({ field, rule }));
}

const everyVector = [...validVectors, ...invalidVectors];
const withJson = everyVector.filter((vector) => !vector.isBinaryOnly);
const readable = withJson.filter((vector) => !loses("binary", vector));
const isCanonical = (vector: Vector) => vector.isCanonical !== false;

describe("the two forms of a vector", () => {
  it.each(readable)("[CON-09] decode to equal messages: $name", (vector) => {
    const fromBinary = decodeBinary(vector.schema, vector.binary);
    const fromJson = decodeJson(vector.schema, vector.json);

    expect(knownBytes(vector, fromBinary)).toBe(knownBytes(vector, fromJson));
  });

  it.each(readable.filter(isCanonical))("[CON-09] are encoded byte for byte: $name", (vector) => {
    const fromBinary = decodeBinary(vector.schema, vector.binary);
    expect(hex(encodeBinary(vector.schema, fromBinary))).toBe(hex(vector.binary));

    if (vector.hasUnknownFields) return; // JSON has no place for them.
    const fromJson = decodeJson(vector.schema, vector.json);
    expect(hex(encodeBinary(vector.schema, fromJson))).toBe(hex(vector.binary));
  });

  it.each(readable.filter((vector) => !loses("json", vector)))(
    "[CON-09] are written as the same JSON: $name",
    (vector) => {
      const expected = JSON.parse(vector.json) as JsonObject;

      const fromBinary = decodeBinary(vector.schema, vector.binary);
      expect(JSON.parse(encodeJson(vector.schema, fromBinary))).toEqual(expected);

      const fromJson = decodeJson(vector.schema, vector.json);
      expect(JSON.parse(encodeJson(vector.schema, fromJson))).toEqual(expected);
    },
  );

  it.each(readable.filter((vector) => !isCanonical(vector)))(
    "[CON-09] are encoded in the canonical way, however they came: $name",
    (vector) => {
      const fromBinary = decodeBinary(vector.schema, vector.binary);
      const fromJson = decodeJson(vector.schema, vector.json);

      expect(hex(encodeBinary(vector.schema, fromBinary))).toBe(hex(encodeBinary(vector.schema, fromJson)));
      expect(hex(encodeBinary(vector.schema, fromBinary))).not.toBe(hex(vector.binary));
    },
  );
});

describe("what no JSON can say", () => {
  it.each(everyVector.filter(({ isBinaryOnly }) => isBinaryOnly))(
    "[CON-09] is binary only: $name",
    (vector) => {
      const message = decodeBinary(vector.schema, vector.binary);

      expect(hex(encodeBinary(vector.schema, message))).toBe(hex(vector.binary));
      expect(() => encodeJson(vector.schema, message)).toThrow();
    },
  );
});

/** A mark in the manifest that is no longer true has to go. */
describe("losses that the manifest admits", () => {
  it.each(everyVector.filter((vector) => loses("json", vector)))(
    "[CON-09] are real in JSON: $name",
    (vector) => {
      const written = encodeJson(vector.schema, decodeJson(vector.schema, vector.json));

      expect(JSON.parse(written)).not.toEqual(JSON.parse(vector.json));
    },
  );

  it.each(everyVector.filter((vector) => loses("binary", vector)))(
    "[CON-09] are real in binary: $name",
    (vector) => {
      const written = encodeBinary(vector.schema, decodeBinary(vector.schema, vector.binary));

      expect(hex(written)).not.toBe(hex(vector.binary));
    },
  );
});

describe("valid vectors", () => {
  it.each(validVectors)("[CON-09] break no rule: $name", (vector) => {
    expect(violationsOf(vector, decodeBinary(vector.schema, vector.binary))).toEqual([]);
    expect(violationsOf(vector, decodeJson(vector.schema, vector.json))).toEqual([]);
  });
});

describe("invalid vectors", () => {
  it.each(invalidVectors)("[CON-09] break exactly the rules they name: $name", (vector) => {
    expect(violationsOf(vector, decodeBinary(vector.schema, vector.binary))).toEqual(vector.violations);
    if (vector.isBinaryOnly) return;
    expect(violationsOf(vector, decodeJson(vector.schema, vector.json))).toEqual(vector.violations);
  });
});

describe("what a newer contract adds", () => {
  const newer = validVectors.filter((vector) => vector.hasUnknownFields && !loses("binary", vector));

  it.each(newer)("[CON-11] survives in binary, byte for byte: $name", (vector) => {
    const message = decodeBinary(vector.schema, vector.binary);

    expect(hex(encodeBinary(vector.schema, message))).toBe(hex(vector.binary));
    expect(knownBytes(vector, message)).not.toBe(hex(vector.binary));
  });

  it.each(validVectors)("[CON-11] is ignored in the JSON of a peer: $name", (vector) => {
    const fromNewerPeer = JSON.stringify({
      ...JSON.parse(vector.json),
      addedByANewerContract: { any: ["thing"] },
    });

    const message = decodeJson(vector.schema, fromNewerPeer, { unknownFields: "ignore" });

    const withoutAddition = JSON.stringify(JSON.parse(vector.json));
    expect(knownBytes(vector, message)).toBe(knownBytes(vector, decodeJson(vector.schema, withoutAddition)));
  });

  it("[CON-11] includes a newer minor schema_version, which is valid", () => {
    const versions = newer.map(({ json }) => JSON.parse(json).protocolVersion?.schemaVersion);

    expect(versions).toContain("1.7.0");
  });
});
