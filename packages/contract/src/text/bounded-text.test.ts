import { describe, expect, it } from "vitest";
import { BoundedText } from "./bounded-text.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("what is kept of an output", () => {
  it("[PIP-07] is all of it, or its beginning and end with what was left out between them counted", () => {
    const text = new BoundedText(10);
    text.push(bytes("01234"));
    text.push(bytes("56789"));
    expect([String(text), text.isCut]).toEqual(["0123456789", false]);
    for (const letter of "abcdef") text.push(bytes(letter));
    expect([String(text), text.isCut]).toEqual(["01234\n[… 6 bytes left out …]\nbcdef", true]);
  });

  it("[PIP-07] has no half characters, and says of bytes that are no text that they are none", () => {
    const text = new BoundedText(4, 4);
    text.push(bytes("€€€€"));
    expect(String(text)).toBe("€\n[… 6 bytes left out …]\n€");
    const odd = new BoundedText(100);
    odd.push(Uint8Array.of(0xff, 0x41));
    expect(String(odd)).toBe("\uFFFDA");
  });

  it("[PIP-07] does not change when the caller reuses the bytes", () => {
    const text = new BoundedText(4, 4);
    const piece = Buffer.from("abcdefgh");
    text.push(piece);
    piece.fill(0);
    expect(String(text)).toBe("abcdefgh");
  });
});
