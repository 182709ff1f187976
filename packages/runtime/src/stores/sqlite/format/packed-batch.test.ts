import { anyStep, batchFor } from "@baton/conformance/store/any-steps.ts";
import { Model } from "@baton/conformance/store/model.ts";
import { auditRow, batch, content, transition } from "@baton/conformance/store/rows.ts";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Batch } from "../../../ports/store.ts";
import { type BatchToWrite, packBatch, unpackBatch } from "./packed-batch.ts";
import { Packer, Unpacker } from "./packer.ts";

/** As it comes out of the memory, which is as large as it has to be. */
function throughMemory(given: Batch, firstBytes: number): BatchToWrite {
  const packer = new Packer(new ArrayBuffer(firstBytes));
  packBatch(packer, given);
  return unpackBatch(new Unpacker(packer.memory.transfer(packer.length)));
}

/** Texts that the writer thread encrypts are unpacked as bytes. */
function asBytes(given: Batch): BatchToWrite {
  const withBytes = <Row extends { readonly text: string }>(row: Row) => ({
    ...row,
    text: new TextEncoder().encode(row.text),
  });
  return {
    ...given,
    transitions: given.transitions.map((one) => ({
      ...one,
      records: withBytes(one.records),
      commands: one.commands.map(withBytes),
    })),
    fleet: given.fleet.map(withBytes),
    held: given.held.map(withBytes),
  };
}

it("comes out as it went in, whatever it is and however little memory there was at first", () => {
  fc.assert(
    fc.property(anyStep, fc.nat(2000), (step, firstBytes) => {
      const given = batchFor(new Model(), step);
      expect(throughMemory(given, firstBytes)).toEqual(asBytes(given));
    }),
  );
});

it("keeps texts of every kind, numbers up to their bounds, and bytes that lie among others", () => {
  const texts = ["", "\u0000", "plain", "größer", "\u{1f642}".repeat(100), "x".repeat(100_000)];
  const given = batch({
    transitions: texts.map((text, index) =>
      transition(`p${index} ${text}`, Number.MAX_SAFE_INTEGER - 1, {
        records: { text, count: 1 },
        contents: [content(text)],
        timersCleared: [text, text],
        tasks: [
          { stageId: text, state: text, headHash: text },
          { stageId: text, state: text, headHash: undefined },
        ],
      }),
    ),
    audit: [2n ** 63n - 1n, -(2n ** 63n), 0n].map((sequence) =>
      auditRow("acme", 1n, { sequence, entry: new Uint8Array([1, 2, 3, 4]).subarray(1, 3), atMs: 0.5 }),
    ),
    completedCommands: [0, -1, 2 ** 53, 1e300],
  });
  expect(throughMemory(given, 16)).toEqual(asBytes(given));
});

it("refuses an integer that has no place", () => {
  const given = batch({ audit: [auditRow("acme", 2n ** 63n)] });
  expect(() => throughMemory(given, 16)).toThrow(expect.objectContaining({ code: "BATON-STORE-008" }));
});
