/**
 * The event types of a row as bits of a number. Each type has two of 52, by its name. A row that lacks one of them does
 * not have the type; one that has both may have it. So a rare type is found without a look into every row.
 */
const bits = 26;

/** Names whose bits are remembered; the contract has some twenty. */
const mostNames = 1000;
const known = new Map<string, number>();

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
  if (known.size >= mostNames) known.clear();
  known.set(eventType, kind);
  return kind;
}

/** FNV-1a. It is in the stored rows, so it stays as it is. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < name.length; index++) {
    hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
