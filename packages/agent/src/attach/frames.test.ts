import { describe, expect, it } from "vitest";
import { FrameSplitter, joinFrames } from "./frames.ts";

const messages = [3, 0, 1, 300, 70_000, 2].map((length, index) => Buffer.alloc(length, index + 1));

function splitInto(size: number): readonly Buffer[] {
  const joined = joinFrames(messages);
  const splitter = new FrameSplitter("a.Message", 100_000);
  const found: Buffer[] = [];
  for (let at = 0; at < joined.length; at += size) {
    for (const bytes of splitter.split(Buffer.from(joined.subarray(at, at + size))))
      found.push(Buffer.from(bytes));
  }
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
    ["compressed", [1, 0, 0, 0, 0], "BATON-CONTRACT-002"],
    ["after unknown flags", [2, 0, 0, 0, 0], "BATON-CONTRACT-002"],
  ])("are refused when a message is %s", (_, bytes, code) => {
    const splitter = new FrameSplitter("a.Message", 100);
    expect(() => [...splitter.split(Buffer.from(bytes))]).toThrow(expect.objectContaining({ code }));
  });
});
