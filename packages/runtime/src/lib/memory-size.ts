/** Overhead of an object. */
const objectBytes = 64;

/**
 * Estimates the memory of a message. A few bytes on the wire can become many objects, so that objects count as well as texts.
 */
export function sizeOf(message: object): number {
  let bytes = 0;
  const unseen: object[] = [message];
  for (let one = unseen.pop(); one; one = unseen.pop()) {
    bytes += objectBytes;
    if (one instanceof Uint8Array) {
      bytes += one.length;
      continue;
    }
    for (const key in one) {
      const value: unknown = Reflect.get(one, key);
      if (typeof value === "string") bytes += value.length;
      else if (typeof value === "object" && value !== null) unseen.push(value);
      else bytes += 8;
    }
  }
  return bytes;
}
