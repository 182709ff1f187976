import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** `methods.ts` maps the roles to methods. */
export const roles = ["submit", "operate", "review", "audit", "agent"] as const;
export type Role = (typeof roles)[number];

/** A key in the configuration: a hash, which cannot be used as a credential. */
export interface KeyEntry {
  /** Identifies the key in the log and the audit record. */
  readonly id: string;
  readonly tenant: string;
  readonly roles: readonly Role[];
  /** `sha256:` and 43 characters of base64url. */
  readonly hash: string;
  /** The key is refused from this instant; undefined never expires. */
  readonly expires?: string | undefined;
}

/** Without an underscore, which ends the id within the key. */
export const keyIdPattern = /^[a-z0-9][a-z0-9-]{0,63}$/;
export const keyHashPattern = /^sha256:[A-Za-z0-9_-]{43}$/;
const keyPattern = /^baton_([a-z0-9][a-z0-9-]{0,63})_[A-Za-z0-9_-]{43}$/;

/** Makes a key of 256 random bits: `key` is for its holder, `entry` for the configuration. */
export function generateKey({ id, tenant, roles, expires }: Omit<KeyEntry, "hash">): {
  readonly key: string;
  readonly entry: KeyEntry;
} {
  if (!keyIdPattern.test(id)) {
    throw new RangeError(`"${id}" cannot name a key: use up to 64 of a-z, 0-9 and -`);
  }
  const key = `baton_${id}_${randomBytes(32).toString("base64url")}`;
  const hash = `sha256:${digest(key).toString("base64url")}`;
  return { key, entry: { id, tenant, roles, hash, ...(expires !== undefined && { expires }) } };
}

export type KeyRefusal = "unknown" | "wrong" | "revoked" | "expired";

export type FoundKey =
  | { readonly entry: KeyEntry; readonly refusal?: undefined }
  | { readonly refusal: KeyRefusal; readonly id: string; readonly tenant: string | undefined };

interface Known {
  readonly entry: KeyEntry;
  readonly hash: Buffer;
  readonly expiresAtMs: number;
}

/** The keys in force; replaceable while calls are running. */
export class KeyRing {
  /** Whether callers need keys; stays true when the last key is revoked. */
  readonly inUse: boolean;
  readonly #nowMs: () => number;
  #known: ReadonlyMap<string, Known>;
  /** Keys that this process has revoked, so that their use is recorded under their id. */
  readonly #revoked = new Map<string, Known>();
  readonly #streams = new Map<string, Set<() => void>>();

  constructor(entries: readonly KeyEntry[], inUse = entries.length > 0, nowMs: () => number = Date.now) {
    this.inUse = inUse;
    this.#nowMs = nowMs;
    this.#known = index(entries);
  }

  get entries(): readonly KeyEntry[] {
    return [...this.#known.values()].map(({ entry }) => entry);
  }

  /** In force from the next call on. Ends the streams of keys that were removed or have other rights now. */
  replace(entries: readonly KeyEntry[]): void {
    const before = this.#known;
    this.#known = index(entries);
    for (const [id, known] of before) {
      if (isSame(known, this.#known.get(id))) continue;
      if (!this.#known.has(id)) this.#revoked.set(id, known);
      this.#endStreams(id);
    }
    for (const id of this.#known.keys()) this.#revoked.delete(id);
  }

  /** Ends the streams of expired keys. */
  endExpired(): void {
    for (const id of [...this.#streams.keys()]) {
      const known = this.#known.get(id);
      if (known === undefined || this.#isExpired(known)) this.#endStreams(id);
    }
  }

  /** The entry of a key, or why it is refused. Takes the same time for a wrong key as for an unknown one. */
  find(key: string): FoundKey {
    const [, id = ""] = keyPattern.exec(key) ?? [];
    const known = this.#known.get(id) ?? this.#revoked.get(id);
    const isRight = timingSafeEqual(digest(key), known?.hash ?? nobody);
    if (known === undefined) return { refusal: "unknown", id: "", tenant: undefined };
    const refused = (refusal: KeyRefusal): FoundKey => ({ refusal, id, tenant: known.entry.tenant });
    if (!isRight) return refused("wrong");
    if (!this.#known.has(id)) return refused("revoked");
    return this.#isExpired(known) ? refused("expired") : { entry: known.entry };
  }

  /** Calls back once when the key is revoked, changed or expired; returns the function that unsubscribes. */
  onEnd(id: string, end: () => void): () => void {
    const streams = this.#streams.get(id) ?? new Set();
    this.#streams.set(id, streams.add(end));
    return () => {
      streams.delete(end);
      if (streams.size === 0 && this.#streams.get(id) === streams) this.#streams.delete(id);
    };
  }

  #endStreams(id: string): void {
    const streams = this.#streams.get(id);
    this.#streams.delete(id);
    for (const end of streams ?? []) end();
  }

  #isExpired({ expiresAtMs }: Known): boolean {
    return expiresAtMs <= this.#nowMs();
  }
}

function index(entries: readonly KeyEntry[]): ReadonlyMap<string, Known> {
  return new Map(
    entries.map((entry) => {
      const hash = Buffer.from(entry.hash.slice("sha256:".length), "base64url");
      const expiresAtMs = entry.expires === undefined ? Number.POSITIVE_INFINITY : Date.parse(entry.expires);
      return [entry.id, { entry, hash, expiresAtMs }];
    }),
  );
}

/** Ignores the expiry: streams end when the new one is reached. */
function isSame({ entry: one, hash }: Known, other: Known | undefined): boolean {
  if (other === undefined || !hash.equals(other.hash) || one.tenant !== other.entry.tenant) return false;
  return new Set(one.roles).symmetricDifference(new Set(other.entry.roles)).size === 0;
}

const nobody = Buffer.alloc(32);

function digest(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}
