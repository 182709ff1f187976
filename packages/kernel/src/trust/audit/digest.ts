/**
 * A collision-resistant hash of 32 bytes, SHA-256 in practice. It comes in as an argument: the kernel has none. It
 * returns new bytes and keeps none of those it is given, which are written over after the call.
 */
export type Digest = (bytes: Uint8Array) => Uint8Array;

/** Hashes are public, so the comparison need not take the same time for all of them. */
export function sameHash(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) {
    if (one[at] !== other[at]) return false;
  }
  return true;
}
