import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BackwardWriter } from "./backward-writer.ts";

const numRuns = Number(process.env.BATON_FUZZ_RUNS ?? 500);
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

function backwards(write: (writer: BackwardWriter) => void): string {
  const writer = new BackwardWriter();
  write(writer);
  return hex(writer.copy());
}

const forwards = (write: (writer: BinaryWriter) => unknown): string => {
  const writer = new BinaryWriter();
  write(writer);
  return hex(writer.finish());
};

describe("writing backwards", () => {
  it("[OBS-04] gives the same numbers as protobuf", () => {
    const edges = [0, 127, 128, 16_383, 16_384, 2 ** 21, 2 ** 28, 2 ** 31 - 1, -1, -(2 ** 31)];
    const anyInt = fc.oneof(fc.constantFrom(...edges), fc.integer());
    const bigEdges = [7, 14, 28, 31, 32, 35, 42, 49, 53, 56].flatMap((bits) => [
      2n ** BigInt(bits),
      2n ** BigInt(bits) - 1n,
      -(2n ** BigInt(bits)),
    ]);
    const anyBigInt = fc.oneof(
      fc.constantFrom(...bigEdges, 2n ** 63n - 1n, -(2n ** 63n)),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    );
    fc.assert(
      fc.property(anyInt, anyBigInt, (small, large) => {
        expect(backwards((writer) => writer.int32(small))).toBe(forwards((writer) => writer.int32(small)));
        expect(backwards((writer) => writer.int64(large))).toBe(forwards((writer) => writer.int64(large)));
      }),
      { numRuns },
    );
  });

  it("[OBS-04] gives the same texts as protobuf, with their tag and length before them", () => {
    const anyText = fc.oneof(
      fc.string(),
      fc.string({ unit: "binary" }),
      fc.string({ minLength: 120, maxLength: 300 }),
      fc.constantFrom("\ud800", "\u007f\u0080", "a".repeat(40_000), "é".repeat(9_000)),
    );
    fc.assert(
      fc.property(
        fc.array(anyText, { maxLength: 5 }),
        fc.integer({ min: 1, max: 3_000 }),
        (texts, number) => {
          const written = backwards((writer) => {
            for (const text of texts.toReversed()) {
              const behind = writer.length;
              writer.text(text);
              writer.head((number << 3) | WireType.LengthDelimited, writer.length - behind);
            }
          });
          const expected = forwards((writer) => {
            for (const text of texts) writer.tag(number, WireType.LengthDelimited).string(text);
          });
          expect(written).toBe(expected);
        },
      ),
      { numRuns },
    );
  });

  it("refuses numbers that do not fit", () => {
    const writer = new BackwardWriter();
    for (const value of [2 ** 31, -(2 ** 31) - 1, 0.5, Number.NaN]) {
      expect(() => writer.int32(value)).toThrow("is no number of 32 bits");
    }
    for (const value of [2n ** 63n, -(2n ** 63n) - 1n]) {
      expect(() => writer.int64(value)).toThrow("is no number of 64 bits");
    }
    expect(writer.length).toBe(0);
  });

  it("writes again what it has written in this era, also when its memory grows by that", () => {
    const writer = new BackwardWriter();
    const large = "x".repeat(200_000);
    writer.text(large);
    const { era, position } = writer;
    writer.text("head");
    writer.again(position, position + 3);
    expect(writer.era).toBe(era);
    writer.again(position, position + large.length);
    expect(writer.era, "what stood somewhere now stands elsewhere").not.toBe(era);
    expect(Buffer.from(writer.copy()).toString() === `${large}xxxhead${large}`).toBe(true);
  });

  it("keeps positions valid while its memory grows", () => {
    const writer = new BackwardWriter();
    writer.raw(new Uint8Array(2));
    const large = "x".repeat(300_000);
    writer.text(large);
    writer.text("dropped");
    writer.drop(7);
    writer.fill(0, Uint8Array.of(0x31, 0x32));
    expect(Buffer.from(writer.copy()).toString() === `${large}12`).toBe(true);
    expect(Buffer.from(writer.peek(2)).toString()).toBe("xx");
  });

  it("gives out copies that later writes do not change, however large it was before", () => {
    const writer = new BackwardWriter();
    writer.text("x".repeat(2_000_000));
    writer.clear();
    writer.text("first");
    const first = writer.copy();
    writer.clear();
    writer.text("other");
    expect(Buffer.from(first).toString()).toBe("first");
    expect(Buffer.from(writer.copy()).toString()).toBe("other");
  });
});
