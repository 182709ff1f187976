import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** What the holder of a key may do; `methods.ts` says which methods that are. */
export const roles = ["submit", "operate", "review", "audit", "agent"] as const;
export type Role = (typeof roles)[number];

/** A key as the configuration holds it: whoever reads it cannot call anything. */
export interface KeyEntry {
  /** Names the key in the log and in the record of who did what. */
  readonly id: string;
  readonly tenant: string;
  readonly roles: readonly Role[];
  /** `sha256:` and 43 characters of base64url. */
  readonly hash: string;
}

/** Without an underscore: it ends the id within the key. */
export const keyIdPattern = /^[a-z0-9][a-z0-9-]{0,63}$/;
export const keyHashPattern = /^sha256:[A-Za-z0-9_-]{43}$/;
const keyPattern = /^baton_([a-z0-9][a-z0-9-]{0,63})_[A-Za-z0-9_-]{43}$/;

/** Makes a key of 256 random bits: `key` is for its holder and told once, `entry` is for the configuration. */
export function generateKey({ id, tenant, roles }: Omit<KeyEntry, "hash">): {
  readonly key: string;
  readonly entry: KeyEntry;
} {
  if (!keyIdPattern.test(id)) {
    throw new RangeError(`"${id}" cannot name a key: use up to 64 of a-z, 0-9 and -`);
  }
  const key = `baton_${id}_${randomBytes(32).toString("base64url")}`;
  return { key, entry: { id, tenant, roles, hash: `sha256:${digest(key).toString("base64url")}` } };
}

/** Finds the entry of a key. It takes the same time for a wrong key as for an unknown one. */
export class KeyRing {
  readonly #entries = new Map<string, { readonly entry: KeyEntry; readonly hash: Buffer }>();

  constructor(entries: readonly KeyEntry[]) {
    for (const entry of entries) {
      const hash = Buffer.from(entry.hash.slice("sha256:".length), "base64url");
      this.#entries.set(entry.id, { entry, hash });
    }
  }

  /** Whether callers are known by keys at all. */
  get inUse(): boolean {
    return this.#entries.size > 0;
  }

  find(key: string): KeyEntry | undefined {
    const [, id] = keyPattern.exec(key) ?? [];
    const known = id === undefined ? undefined : this.#entries.get(id);
    const isRight = timingSafeEqual(digest(key), known?.hash ?? nobody);
    return isRight ? known?.entry : undefined;
  }
}

const nobody = Buffer.alloc(32);

function digest(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}
