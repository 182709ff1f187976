import { createHash, createHmac, hkdfSync, randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../ports/clock.ts";
import {
  decryptValue,
  EncryptedWriter,
  encryptedSize,
  encryptValue,
  readEncrypted,
} from "./encrypted-file.ts";
import { defaultUploadSettings, type UploadSettings, uploadLimits } from "./settings.ts";
import { checkLink, signLink } from "./signed-links.ts";
import { UploadError } from "./upload-error.ts";

/** An upload, as `data` of an answer refers to it. */
export interface UploadRef {
  readonly $ref: string;
  /** `sha256:` and the digest of the content. */
  readonly digest: string;
  readonly media_type: string;
  readonly size: number;
  readonly url: string;
  readonly expires_at: string;
}

export interface UploadContent {
  readonly digest: string;
  readonly mediaType: string;
  readonly size: number;
  /** Ends with an error when the stored content is damaged. */
  read(): AsyncIterable<Uint8Array>;
}

export interface UploadOptions {
  readonly folder: string;
  /** The key of the store. */
  readonly key: Uint8Array;
  readonly settings?: Partial<UploadSettings>;
  readonly clock: Pick<Clock, "nowMs" | "after">;
  readonly onProblem: (problem: Error) => void;
}

/** The description of a stored content. */
interface Entry {
  readonly digest: string;
  readonly mediaType: string;
  readonly size: number;
}

/** What a tenant has stored and is storing. */
interface Used {
  bytes: number;
  contents: number;
}

const pruneEveryMs = 10 * 60_000;

/** An upload that is not complete by then belongs to a hub that was killed. */
const unfinishedMs = 60 * 60_000;

/**
 * Binary content of tenants (SACP §11), encrypted in the data folder.
 *
 * U1. A tenant has a folder whose name is derived from the key; without its credential or a signed address nobody reads from it.
 * U2. A content is stored once per tenant, under a name derived from its digest, and appears when it is complete and durable.
 * U3. The bytes of a tenant, those that are being uploaded included, stay within the quota.
 */
export class Uploads {
  readonly #folder: string;
  readonly #names: Uint8Array;
  readonly #links: Uint8Array;
  readonly #contents: Uint8Array;
  readonly #entries: Uint8Array;
  readonly #settings: UploadSettings;
  readonly #clock: UploadOptions["clock"];
  readonly #onProblem: (problem: Error) => void;
  /** Bytes by owner; read from disk when first needed. */
  readonly #used = new Map<string, Promise<Used>>();
  #stopPruning: () => void = () => {};

  constructor({ folder, key, settings, clock, onProblem }: UploadOptions) {
    const derive = (use: string) => new Uint8Array(hkdfSync("sha256", key, "", `baton uploads: ${use}`, 32));
    this.#folder = folder;
    this.#names = derive("names");
    this.#links = derive("links");
    this.#contents = derive("contents");
    this.#entries = derive("entries");
    this.#settings = { ...defaultUploadSettings, ...settings };
    this.#clock = clock;
    this.#onProblem = onProblem;
    this.#pruneLater();
  }

  /** Stores a content while it arrives. Throws `UploadError`. */
  async put(
    tenantId: string,
    mediaType: string,
    body: AsyncIterable<Uint8Array>,
    base: string,
  ): Promise<UploadRef> {
    checkMediaType(mediaType);
    const owner = this.#ownerOf(tenantId);
    const folder = join(this.#folder, owner);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const part = join(folder, `${randomUUID()}.part`);
    const used = await this.#usedBy(owner);
    let reserved = 0;
    if (used.contents >= this.#settings.tenantUploads)
      throw quotaReached(`${this.#settings.tenantUploads} contents (uploads.tenant_uploads)`);
    used.contents++;
    let isKept = false;
    try {
      const file = await open(part, "wx", 0o600);
      const hash = createHash("sha256");
      let size = 0;
      try {
        const writer = new EncryptedWriter(file, this.#contents);
        for await (const bytes of body) {
          size += bytes.length;
          if (size > this.#settings.maxBytes) throw tooLarge(this.#settings.maxBytes);
          const more = encryptedSize(size) - reserved;
          if (used.bytes + more > this.#settings.tenantBytes)
            throw quotaReached(`${this.#settings.tenantBytes} bytes (uploads.tenant_bytes)`);
          used.bytes += more;
          reserved += more;
          hash.update(bytes);
          await writer.write(bytes);
        }
        await writer.end();
      } finally {
        await file.close();
      }
      const entry = { digest: hash.digest("hex"), mediaType, size };
      isKept = await this.#keep(folder, part, entry);
      if (isKept) {
        used.bytes += encryptedSize(size) - reserved;
        reserved = 0;
      }
      return this.#refTo(owner, entry, base);
    } finally {
      used.bytes -= reserved;
      if (!isKept) used.contents--;
      await rm(part, { force: true });
    }
  }

  /** Reads what the caller's tenant has uploaded. */
  get(tenantId: string, id: string): Promise<UploadContent> {
    return this.#find(this.#ownerOf(tenantId), id);
  }

  /** Reads by a signed address. */
  getSigned(id: string, query: URLSearchParams): Promise<UploadContent> {
    const { owner } = checkLink(this.#links, id, query, this.#clock.nowMs());
    return this.#find(owner, id);
  }

  close(): void {
    this.#stopPruning();
  }

  /** Removes what is older than it may be, and what a killed hub has left unfinished. */
  async prune(): Promise<void> {
    const nowMs = this.#clock.nowMs();
    for (const owner of await namesIn(this.#folder)) {
      const folder = join(this.#folder, owner);
      for (const name of await namesIn(folder)) {
        const path = join(folder, name);
        const { mtimeMs, size } = await stat(path).catch(() => ({
          mtimeMs: Number.POSITIVE_INFINITY,
          size: 0,
        }));
        if (nowMs - mtimeMs <= (name.endsWith(".part") ? unfinishedMs : this.#settings.keepMs)) continue;
        await rm(path, { force: true });
        const used = name.endsWith(".bin") ? await this.#used.get(owner) : undefined;
        if (!used) continue;
        used.bytes -= size;
        used.contents--;
      }
    }
  }

  /** True when the content was not there before. A content that was there stays for longer. */
  async #keep(folder: string, part: string, entry: Entry): Promise<boolean> {
    const content = join(folder, `${this.#nameOf(entry.digest)}.bin`);
    const description = join(folder, `${idOf(entry)}.ref`);
    const now = new Date(this.#clock.nowMs());
    const isNew = await stat(content).then(
      () => false,
      () => true,
    );
    if (isNew) await rename(part, content);
    await utimes(content, now, now);
    const unfinished = `${description}.${randomUUID()}.part`;
    await writeFile(unfinished, encryptValue(this.#entries, JSON.stringify(entry)), { mode: 0o600 });
    await rename(unfinished, description);
    await utimes(description, now, now);
    return isNew;
  }

  async #find(owner: string, id: string): Promise<UploadContent> {
    if (!/^[0-9a-f]{64}$/.test(id)) throw unknownUpload();
    const folder = join(this.#folder, owner);
    const stored = await readFile(join(folder, `${id}.ref`)).catch(() => undefined);
    const json = stored && decryptValue(this.#entries, stored);
    if (json === undefined) throw unknownUpload();
    const { digest, mediaType, size } = JSON.parse(json) as Entry;
    const path = join(folder, `${this.#nameOf(digest)}.bin`);
    await stat(path).catch(() => {
      throw unknownUpload();
    });
    return { digest: `sha256:${digest}`, mediaType, size, read: () => readFrom(path, this.#contents) };
  }

  #refTo(owner: string, entry: Entry, base: string): UploadRef {
    const id = idOf(entry);
    const expiresAtMs = this.#clock.nowMs() + this.#settings.linkMs;
    return {
      $ref: `baton:upload/${id}`,
      digest: `sha256:${entry.digest}`,
      media_type: entry.mediaType,
      size: entry.size,
      url: `${base}${signLink(this.#links, { owner, id, expiresAtMs })}`,
      expires_at: new Date(Math.floor(expiresAtMs / 1_000) * 1_000).toISOString(),
    };
  }

  #usedBy(owner: string): Promise<Used> {
    let used = this.#used.get(owner);
    if (!used) {
      used = usedIn(join(this.#folder, owner));
      this.#used.set(owner, used);
    }
    return used;
  }

  #ownerOf(tenantId: string): string {
    return this.#nameOf(`tenant ${tenantId}`).slice(0, 32);
  }

  #nameOf(text: string): string {
    return createHmac("sha256", this.#names).update(text).digest("hex");
  }

  #pruneLater(): void {
    this.#stopPruning = this.#clock.after(pruneEveryMs, () => {
      this.#pruneLater();
      this.prune().catch((error) =>
        this.#onProblem(error instanceof Error ? error : new Error(String(error))),
      );
    });
  }
}

/** The same content of another media type is another upload, stored once. */
function idOf({ digest, mediaType }: Entry): string {
  return createHash("sha256").update(`${digest}\n${mediaType}`).digest("hex");
}

async function* readFrom(path: string, key: Uint8Array): AsyncGenerator<Uint8Array> {
  const file = await open(path);
  try {
    yield* readEncrypted(file, key);
  } finally {
    await file.close();
  }
}

async function usedIn(folder: string): Promise<Used> {
  const used = { bytes: 0, contents: 0 };
  for (const name of await namesIn(folder)) {
    if (!name.endsWith(".bin")) continue;
    used.bytes += (await stat(join(folder, name)).catch(() => ({ size: 0 }))).size;
    used.contents++;
  }
  return used;
}

function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}

function checkMediaType(mediaType: string): void {
  const isType = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:; ?[\w-]+=[\w.+-]+)*$/.test(mediaType);
  if (isType && mediaType.length <= uploadLimits.mediaTypeChars) return;
  throw new UploadError(
    "BATON-UPLOAD-001",
    "the upload has no media type, or one that is none",
    "send the header content-type, such as image/png",
  );
}

function tooLarge(maxBytes: number): UploadError {
  return new UploadError(
    "BATON-UPLOAD-002",
    `an upload has at most ${maxBytes} bytes (uploads.max_bytes)`,
    "send less, or raise the limit",
  );
}

function quotaReached(limit: string): UploadError {
  return new UploadError(
    "BATON-UPLOAD-003",
    `the uploads of this tenant have reached ${limit}`,
    "wait until older uploads are removed (uploads.keep_for), or raise the limit",
  );
}

/** The same for an upload of another tenant, so that nobody learns of it. */
function unknownUpload(): UploadError {
  return new UploadError(
    "BATON-UPLOAD-004",
    "there is no such upload",
    "it may have been removed; upload it again",
  );
}
