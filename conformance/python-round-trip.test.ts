/**
 * Every vector travels from TypeScript to Python and back, and the other way round, in both forms.
 *
 * Binary is compared byte for byte. JSON is compared by what it means: Python writes whole numbers of structured data
 * as 1.0, escapes what is not ASCII and puts its keys in another order, all of which protobuf allows.
 */
import { decodeBinary, decodeJson, encodeBinary, encodeJson } from "@baton/contract";
import type { Message } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PythonPeer } from "./python/peer.ts";
import { setPaths } from "./python/set-paths.ts";
import { hex, invalidVectors, type Vector, validVectors } from "./vectors.ts";

const { BATON_PYTHON: python, BATON_PROTOC: protoc } = process.env;

/** Rules play no part in a round trip: what is invalid travels like what is valid. */
const everyVector = [...validVectors, ...invalidVectors];
const inBinary = everyVector.filter((vector) => !losesIn("binary", vector));
const inJson = everyVector.filter((vector) => !vector.isBinaryOnly && !losesIn("json", vector));

function losesIn(form: "binary" | "json", { losses = [] }: Vector): boolean {
  return losses.some((loss) => loss.form === form);
}

/** Python lists a message in its own order. */
function sorted(paths: readonly string[]): string[] {
  return [...paths].sort();
}

describe.skipIf(!python || !protoc)("round trip between TypeScript and Python", () => {
  let peer: PythonPeer;

  beforeAll(async () => {
    peer = PythonPeer.start(python ?? "", protoc ?? "");
    // One question ahead: a peer that cannot start fails here, and not with every vector.
    await peer.read("vasini.agent.v1.TaskEnvelope", { json: "{}" });
  });

  afterAll(() => peer?.end());

  function expectSame(vector: Vector, returned: Message, sent: Message): void {
    expect(hex(encodeBinary(vector.schema, returned))).toBe(hex(encodeBinary(vector.schema, sent)));
    expect(sorted(setPaths(vector.schema, returned))).toEqual(sorted(setPaths(vector.schema, sent)));
  }

  describe("TypeScript to Python to TypeScript", () => {
    it.each(inBinary)("[CON-10] in binary: $name", async (vector) => {
      const sent = decodeBinary(vector.schema, vector.binary);
      const bytes = encodeBinary(vector.schema, sent);

      const inPython = await peer.read(vector.type, { binary: bytes });

      expect(hex(inPython.message.binary)).toBe(hex(bytes));
      expect(sorted(inPython.paths)).toEqual(sorted(setPaths(vector.schema, sent)));
      expectSame(vector, decodeBinary(vector.schema, inPython.message.binary), sent);
    });

    it.each(inJson)("[CON-10] in JSON: $name", async (vector) => {
      const sent = decodeJson(vector.schema, vector.json);

      const inPython = await peer.read(vector.type, { json: encodeJson(vector.schema, sent) });

      expect(sorted(inPython.paths)).toEqual(sorted(setPaths(vector.schema, sent)));
      expectSame(vector, decodeJson(vector.schema, inPython.message.json), sent);
    });
  });

  describe("Python to TypeScript to Python", () => {
    it.each(inBinary)("[CON-10] in binary: $name", async (vector) => {
      const golden = { binary: vector.binary };
      const sent = await peer.read(vector.type, golden);

      const inTypeScript = decodeBinary(vector.schema, sent.message.binary);
      expect(sorted(setPaths(vector.schema, inTypeScript))).toEqual(sorted(sent.paths));

      const returned = { binary: encodeBinary(vector.schema, inTypeScript) };
      const { equal, left, right } = await peer.compare(vector.type, golden, returned);
      expect(sorted(right)).toEqual(sorted(left));
      expect(equal).toBe(true);
    });

    it.each(inJson)("[CON-10] in JSON: $name", async (vector) => {
      const golden = { json: vector.json };
      const sent = await peer.read(vector.type, golden);

      const inTypeScript = decodeJson(vector.schema, sent.message.json);
      expect(sorted(setPaths(vector.schema, inTypeScript))).toEqual(sorted(sent.paths));

      const returned = { json: encodeJson(vector.schema, inTypeScript) };
      const { equal, left, right } = await peer.compare(vector.type, golden, returned);
      expect(sorted(right)).toEqual(sorted(left));
      expect(equal).toBe(true);
    });

    it.each(validVectors)("[CON-10] agree on what the two forms of a vector say: $name", async (vector) => {
      const { equal } = await peer.compare(vector.type, { json: vector.json }, { binary: vector.binary });

      expect(equal).toBe(!vector.hasUnknownFields); // JSON has no place for them.
    });
  });

  it("[CON-10] a message that Python cannot read is an answer, and the next one is read", async () => {
    const type = "vasini.agent.v1.TaskEnvelope";

    await expect(peer.read(type, { binary: Uint8Array.of(0xff) })).rejects.toThrow("DecodeError");
    await expect(peer.read(type, { json: '{"nobodyKnows": 1}' })).rejects.toThrow("ParseError");
    await expect(peer.read("no.such.Type", { json: "{}" })).rejects.toThrow("no.such.Type");
    await expect(peer.ask({ op: "dance" })).rejects.toThrow("dance");
    await expect(peer.read(type, { json: "{}" })).resolves.toMatchObject({ paths: [] });
  });
});
