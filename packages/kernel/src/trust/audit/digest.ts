/**
 * A collision-resistant hash of 32 bytes: SHA-256, passed in because the kernel has no platform modules. It returns new
 * bytes and does not keep its input, which is overwritten after the call.
 */
export type Digest = (bytes: Uint8Array) => Uint8Array;

/** Not in constant time: hashes are public. */
export function sameHash(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) {
    if (one[at] !== other[at]) return false;
  }
  return true;
}
