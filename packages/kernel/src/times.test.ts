import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { expect, it } from "vitest";
import { durationOf, timestampOf } from "./times.ts";

it("[CON-01] gives times and durations as the messages of the contract have them", () => {
  fc.assert(
    fc.property(fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }), (ms) => {
      expect(timestampOf(ms)).toEqual(timestampFromMs(ms));
      expect(durationOf(ms)).toEqual(durationFromMs(ms));
    }),
  );
});
