import { randomFillSync } from "node:crypto";

const idBytes = 8;
/** To ask for random bytes costs more than the bytes, so they are fetched for many ids at once. */
const pool = Buffer.alloc(idBytes * 256);
let used = pool.length;

/** The id of a span, as W3C Trace Context writes it. */
export function newSpanId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += idBytes;
  return pool.toString("hex", used - idBytes, used);
}
