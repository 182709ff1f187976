import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { limits } from "../limits.ts";
import { type BinaryContent, fromBinary, toBinary, type UploadClient } from "./binary.ts";

const { signal } = new AbortController();

function client() {
  const stored: Buffer[] = [];
  const uploads: UploadClient = {
    upload: async (content, mediaType) => {
      const pieces: Uint8Array[] = [];
      for await (const piece of content) pieces.push(piece);
      stored.push(Buffer.concat(pieces));
      const id = String(stored.length - 1).padStart(64, "0");
      const size = stored.at(-1)?.length ?? 0;
      return { $ref: `baton:upload/${id}`, digest: "", media_type: mediaType, size, url: "", expires_at: "" };
    },
    download: async (id) => stored[Number(id)] ?? Buffer.alloc(0),
  };
  return { uploads, stored };
}

async function* inPieces(content: Buffer, size: number) {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
}

describe("binary content of an agent", () => {
  it.each([
    ["bytes", (content: Buffer): BinaryContent => content],
    ["a stream", (content: Buffer): BinaryContent => inPieces(content, 50_000)],
  ])("[SAC-11] as %s is within data up to 256 KiB, and uploaded above", async (_, contentOf) => {
    for (const length of [0, 1, limits.inlineBytes]) {
      const { uploads, stored } = client();
      const content = randomBytes(length);
      const value = await toBinary(contentOf(content), "image/png", uploads, signal);
      expect(value).toEqual({ $base64: content.toString("base64"), media_type: "image/png" });
      expect(stored).toEqual([]);
      expect(content.equals(await fromBinary(value, uploads, signal))).toBe(true);
    }
    const { uploads, stored } = client();
    const content = randomBytes(limits.inlineBytes + 1);
    const value = await toBinary(contentOf(content), "image/png", uploads, signal);
    expect(value).toMatchObject({ size: content.length, media_type: "image/png" });
    expect(stored[0]?.equals(content)).toBe(true);
    const { digest: _unknown, ...withoutDigest } = value;
    expect(content.equals(await fromBinary(withoutDigest, uploads, signal))).toBe(true);
  });

  it("[SAC-11] is not taken for something else, or with another digest", async () => {
    const { uploads } = client();
    const value = await toBinary(randomBytes(limits.inlineBytes + 1), "image/png", uploads, signal);
    const refused = { code: "BATON-SDK-022" };
    await expect(
      fromBinary({ ...value, digest: `sha256:${"0".repeat(64)}` }, uploads, signal),
    ).rejects.toMatchObject(refused);
    for (const wrong of [{}, { $ref: "#/defs" }, { $ref: "baton:upload/../x" }, { $base64: 7 }])
      await expect(fromBinary(wrong, uploads, signal)).rejects.toMatchObject(refused);
  });
});
