import { crc32, gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { joinCrc, shiftOf } from "./join-crc.ts";
import { GzipStream, gzipSizes, type Piece, pieceNow, pieceOf } from "./shared-gzip.ts";

function streamOf(pieces: readonly Piece[]): Buffer {
  const stream = new GzipStream();
  return Buffer.concat([stream.begin(), ...pieces.map((piece) => stream.add(piece)), stream.end()]);
}

/** Of every size at which something changes, compressible and not. */
const anyBytes = fc
  .tuple(
    fc.uint8Array({ minLength: 1, maxLength: 200 }),
    fc.constantFrom(0, 1, gzipSizes.compressedFrom, gzipSizes.asyncFrom, 70_000),
    fc.integer({ min: -1, max: 1 }),
  )
  .map(([some, size, more]) => Buffer.alloc(Math.max(0, size + more), some));

describe("pieces of gzip streams", () => {
  it("[TUR-04] say together what each of them says, in any order and as often as one likes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyBytes, { maxLength: 8 }), fc.array(fc.nat()), async (all, order) => {
        const pieces = await Promise.all(all.map(pieceOf));
        const written = all.length === 0 ? [] : order.map((place) => place % all.length);
        const stream = streamOf(written.flatMap((place) => pieces[place] ?? []));
        expect(gunzipSync(stream).equals(Buffer.concat(written.flatMap((place) => all[place] ?? [])))).toBe(
          true,
        );
      }),
      { numRuns: 60 },
    );
  });

  it("[TUR-04] are made once for all who are sent the same", async () => {
    const large = Buffer.alloc(100_000, "all of them watch everything; ");
    const [one, other] = await Promise.all([pieceOf(large), pieceOf(large)]);
    expect(other).toBe(one);
    expect(one.deflated.length).toBeLessThan(large.length / 10);
    const [first, second] = [pieceNow(Buffer.from("retry: 1\n\n")), pieceNow(Buffer.from(": alive\n\n"))];
    expect(gunzipSync(streamOf([first, one])).toString()).toBe(`retry: 1\n\n${large}`);
    expect(gunzipSync(streamOf([second, second, other])).toString()).toBe(`: alive\n\n: alive\n\n${large}`);
  });

  it("[TUR-04] can be read as soon as they are there, before the stream ends", async () => {
    const stream = new GzipStream();
    const large = Buffer.alloc(100_000, "as it comes; ");
    const begun = Buffer.concat([stream.begin(), stream.add(await pieceOf(large))]);
    // As a browser reads: what is not there yet is no error.
    expect(gunzipSync(begun, { finishFlush: 2 }).equals(large)).toBe(true);
  });
});

describe("the checksum of two pieces", () => {
  it("[TUR-04] is that of both in a row, also where they are longer than one could wait for", () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array(), (front, back) => {
        const joined = joinCrc(crc32(front), crc32(back), shiftOf(back.length));
        expect(joined).toBe(crc32(Buffer.concat([front, back])));
      }),
    );
    // x^(8·(2^32 - 1)) is 1, as the polynomial is primitive: so many bytes leave the checksum in front of them as it is.
    expect(joinCrc(0x12345678, 0, shiftOf(2 ** 32 - 1))).toBe(0x12345678);
  });
});
