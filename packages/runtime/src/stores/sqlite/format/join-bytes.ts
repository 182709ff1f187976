/** Longer than most rows; longer ones get a buffer of their own. */
const shared = new Uint8Array(64 * 1024);

/** Concatenates bytes. The result is valid until the next call; SQLite has copied it by then. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const joined = length <= shared.length ? shared.subarray(0, length) : new Uint8Array(length);
  let start = 0;
  for (const part of parts) {
    joined.set(part, start);
    start += part.length;
  }
  return joined;
}
