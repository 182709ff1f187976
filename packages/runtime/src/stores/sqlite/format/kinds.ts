import { LRUCache } from "lru-cache";

/**
 * A Bloom filter for the event types of a row: each type sets two of 52 bits, chosen by its name. Rows that lack one of them do
 * not have the type, so that a rare type is found without reading every row.
 */
const bits = 26;

/** Names whose bits are cached; the contract has about twenty. */
const known = new LRUCache<string, number>({ max: 1000 });

export const noKinds = 0;

export function withKind(kinds: number, eventType: string): number {
  const more = kindOf(eventType);
  const low = (kinds % 2 ** bits) | (more % 2 ** bits);
  const high = Math.floor(kinds / 2 ** bits) | Math.floor(more / 2 ** bits);
  return high * 2 ** bits + low;
}

export function kindOf(eventType: string): number {
  const found = known.get(eventType);
  if (found !== undefined) return found;
  const hash = hashOf(eventType);
  const kind = 2 ** (bits + (Math.floor(hash / bits) % bits)) + 2 ** (hash % bits);
  known.set(eventType, kind);
  return kind;
}

/** FNV-1a. Part of the stored format. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < name.length; index++) {
    hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
