import { FrameCutter } from "@baton/contract";
import { describe, expect, it } from "vitest";
import { joinFrames } from "./frames.ts";

const messages = [3, 0, 1, 300, 70_000, 2].map((length, index) => Buffer.alloc(length, index + 1));

function splitInto(size: number): readonly Buffer[] {
  const joined = joinFrames(messages);
  const cutter = new FrameCutter("a.Message", 100_000);
  const found: Buffer[] = [];
  for (let at = 0; at < joined.length; at += size) {
    cutter.add(joined.subarray(at, at + size));
    for (let frame = cutter.next(); frame; frame = cutter.next()) found.push(Buffer.from(frame.bytes));
  }
  cutter.end();
  return found;
}

describe("gRPC frames", () => {
  it.each([1, 2, 4, 5, 6, 7, 100, 65_536, 1_000_000])("are read from chunks of %i bytes", (size) => {
    expect(splitInto(size).map((found, index) => messages[index]?.equals(found))).toEqual(
      messages.map(() => true),
    );
  });

  it.each([
    ["too large", [0, 0xff, 0xff, 0xff, 0xff], "BATON-CONTRACT-001"],
    ["after unknown flags", [2, 0, 0, 0, 0], "BATON-CONTRACT-002"],
  ])("are refused when a message is %s", (_, bytes, code) => {
    const cutter = new FrameCutter("a.Message", 100);
    cutter.add(Uint8Array.from(bytes));
    expect(() => cutter.next()).toThrow(expect.objectContaining({ code }));
  });
});
