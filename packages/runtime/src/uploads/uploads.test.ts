import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { encryptedSize } from "./encrypted-file.ts";
import type { UploadSettings } from "./settings.ts";
import { type UploadContent, type UploadRef, Uploads } from "./uploads.ts";

const base = "http://127.0.0.1:7434";
const day = 24 * 60 * 60 * 1_000;

function opened(settings: Partial<UploadSettings> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "baton-uploads-"));
  const clock = { ms: Date.now(), nowMs: () => clock.ms, after: () => () => {} };
  const key = new Uint8Array(32).fill(7);
  const open = () =>
    new Uploads({ folder, key, settings, clock, onProblem: (problem) => console.error(problem) });
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const uploads = open();
  const put = (content: Uint8Array, tenant = "acme", type = "image/png") =>
    uploads.put(tenant, type, pieces(content), base);
  const files = () =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.includes("."));
  return { folder, clock, uploads, open, put, files };
}

/** Arrives in pieces of any size. */
async function* pieces(content: Uint8Array, size = 50_000): AsyncIterable<Uint8Array> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
}

async function bytesOf(content: UploadContent): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of content.read()) all.push(piece);
  return Buffer.concat(all);
}

const idOf = ({ $ref }: UploadRef) => $ref.slice("baton:upload/".length);
const queryOf = ({ url }: UploadRef) => new URL(url).searchParams;
const codeOf = (work: Promise<unknown> | (() => Promise<unknown>)) =>
  (typeof work === "function" ? Promise.resolve().then(work) : work).then(
    () => "none",
    ({ code }) => code,
  );

describe("an upload", () => {
  it.each([0, 1, 65_535, 65_536, 65_537, 131_072, 300_000])(
    "[SAC-11] of %i bytes returns what was sent, by its tenant and by its signed address",
    async (length) => {
      const { put, uploads, open } = opened();
      const content = randomBytes(length);
      const ref = await put(content);
      const digest = `sha256:${createHash("sha256").update(content).digest("hex")}`;
      expect(ref).toMatchObject({ digest, media_type: "image/png", size: length });
      expect(ref.url).toMatch(new RegExp(`^${base}/uploads/${idOf(ref)}\\?`));
      for (const found of [
        await uploads.get("acme", idOf(ref)),
        await uploads.getSigned(idOf(ref), queryOf(ref)),
        await open().get("acme", idOf(ref)),
      ]) {
        expect(found).toMatchObject({ digest, mediaType: "image/png", size: length });
        expect((await bytesOf(found)).equals(content)).toBe(true);
      }
    },
  );

  it("[SAC-11] is encrypted on disk, under names that say nothing of it", async () => {
    const { put, folder, files } = opened();
    const content = Buffer.from("the plans of the new harbour ".repeat(100));
    const ref = await put(content, "acme", "text/plain");
    const digest = ref.digest.slice("sha256:".length);
    for (const name of files()) {
      const stored = readFileSync(join(folder, name));
      for (const secret of ["harbour", "text/plain", digest, "acme"]) {
        expect(stored.includes(secret)).toBe(false);
        expect(name).not.toContain(secret);
      }
    }
    expect(files()).toHaveLength(2);
  });

  it("[SAC-11] is invisible to another tenant, with the same error as for one that does not exist", async () => {
    const { put, uploads } = opened();
    const ref = await put(randomBytes(10));
    const none = await codeOf(uploads.get("acme", "0".repeat(64)));
    expect([await codeOf(uploads.get("other", idOf(ref))), none]).toEqual([
      "BATON-UPLOAD-004",
      "BATON-UPLOAD-004",
    ]);
    expect(await codeOf(uploads.get("acme", "../../etc/passwd"))).toBe("BATON-UPLOAD-004");
  });

  it("[SAC-11] has an address that nobody can change or use for longer", async () => {
    const { put, uploads, clock } = opened({ linkMs: 60_000 });
    const [ref, other] = [await put(randomBytes(10)), await put(randomBytes(10), "other")];
    const changed = (name: string, value: string) => {
      const query = queryOf(ref);
      query.set(name, value);
      return codeOf(() => uploads.getSigned(idOf(ref), query));
    };
    expect(await changed("e", String(Number(queryOf(ref).get("e")) + 1))).toBe("BATON-UPLOAD-004");
    expect(await changed("o", queryOf(other).get("o") ?? "")).toBe("BATON-UPLOAD-004");
    expect(await changed("s", "0".repeat(32))).toBe("BATON-UPLOAD-004");
    expect(await changed("s", "")).toBe("BATON-UPLOAD-004");
    expect(await codeOf(() => uploads.getSigned(idOf(other), queryOf(ref)))).toBe("BATON-UPLOAD-004");
    clock.ms += 59_000;
    expect(await codeOf(() => uploads.getSigned(idOf(ref), queryOf(ref)))).toBe("none");
    clock.ms += 2_000;
    expect(await codeOf(() => uploads.getSigned(idOf(ref), queryOf(ref)))).toBe("BATON-UPLOAD-005");
    expect(Date.parse(ref.expires_at)).toBeLessThanOrEqual(clock.ms);
  });

  it("[SAC-11] needs a media type, and keeps within its size", async () => {
    const { put, files } = opened({ maxBytes: 100 });
    for (const type of ["", "image", "image/png\r\nx: y", `image/${"x".repeat(200)}`])
      expect(await codeOf(put(randomBytes(1), "acme", type))).toBe("BATON-UPLOAD-001");
    expect(await codeOf(put(randomBytes(1), "acme", "text/plain; charset=utf-8"))).toBe("none");
    expect(await codeOf(put(randomBytes(100)))).toBe("none");
    expect(await codeOf(put(randomBytes(101)))).toBe("BATON-UPLOAD-002");
    expect(files().filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  it("[SAC-11] counts once against the quota of its tenant, and not against others", async () => {
    const { put, open } = opened({ tenantBytes: 3 * encryptedSize(1_000) });
    const [first, second, third] = [randomBytes(1_000), randomBytes(1_000), randomBytes(1_000)];
    await put(first);
    await put(first, "acme", "image/webp");
    await put(second);
    await put(third);
    expect(await codeOf(put(randomBytes(1)))).toBe("BATON-UPLOAD-003");
    expect(await codeOf(put(randomBytes(1_000), "other"))).toBe("none");
    // A hub that starts reads what is there.
    expect(await codeOf(open().put("acme", "image/png", pieces(randomBytes(1)), base))).toBe(
      "BATON-UPLOAD-003",
    );
  });

  it("[SAC-11] is one of so many of its tenant", async () => {
    const { put } = opened({ tenantUploads: 2 });
    await put(randomBytes(5));
    await put(randomBytes(5));
    expect(await codeOf(put(randomBytes(5)))).toBe("BATON-UPLOAD-003");
    expect(await codeOf(put(randomBytes(5), "other"))).toBe("none");
  });

  it("[SAC-11] is removed when its time is over, which makes room, and stays when it is uploaded again", async () => {
    const { put, uploads, clock, files } = opened({
      keepMs: 10 * day,
      tenantBytes: 2 * encryptedSize(1_000),
    });
    const [old, again] = [randomBytes(1_000), randomBytes(1_000)];
    const [oldRef, againRef] = [await put(old), await put(again)];
    clock.ms += 6 * day;
    await uploads.prune();
    expect(files()).toHaveLength(4);
    // The bytes are there already, but an upload needs room until that is known.
    expect(await codeOf(put(again))).toBe("BATON-UPLOAD-003");
    clock.ms += 5 * day;
    await uploads.prune();
    expect(await codeOf(uploads.get("acme", idOf(oldRef)))).toBe("BATON-UPLOAD-004");
    expect(await codeOf(uploads.get("acme", idOf(againRef)))).toBe("BATON-UPLOAD-004");
    expect(files()).toEqual([]);
    await put(again);
    clock.ms += 6 * day;
    await put(again);
    clock.ms += 6 * day;
    await uploads.prune();
    expect(await codeOf(uploads.get("acme", idOf(againRef)))).toBe("none");
  });

  it("[SAC-11] that is damaged on disk is not returned as if it were whole", async () => {
    const { put, uploads, folder, files } = opened();
    const content = randomBytes(200_000);
    const ref = await put(content);
    const path = join(folder, files().find((name) => name.endsWith(".bin")) ?? "");
    const stored = readFileSync(path);
    const reads = async () => codeOf(bytesOf(await uploads.get("acme", idOf(ref))).then(() => undefined));
    expect(await reads()).toBe("none");
    for (const damage of [
      () => truncateSync(path, stored.length - 1),
      () => truncateSync(path, encryptedSize(131_072)),
      () => writeFileSync(path, stored.with(100_000, (stored[100_000] ?? 0) ^ 1)),
    ]) {
      writeFileSync(path, stored);
      damage();
      expect(await reads()).not.toBe("none");
    }
  });

  it("[SAC-11] that is broken off leaves nothing, and gives back its room", async () => {
    const { uploads, files, put } = opened({ tenantBytes: encryptedSize(1_000) });
    async function* broken() {
      yield randomBytes(900);
      throw new Error("the line was cut");
    }
    await expect(uploads.put("acme", "image/png", broken(), base)).rejects.toThrow("the line was cut");
    expect(files()).toEqual([]);
    expect(await codeOf(put(randomBytes(1_000)))).toBe("none");
  });
});
