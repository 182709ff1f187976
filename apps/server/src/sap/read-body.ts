import { GatheredBytes } from "@baton/contract";
import { limitBodyTime } from "../body/limit-body-time.ts";

/** Why a body was not read to its end. */
export class BodyTooLarge extends Error {
  override readonly name = "BodyTooLarge";
}

/** The whole body. Throws `BodyTooLarge`, or a `ConnectError` when it does not arrive in time. */
export async function readBody(
  request: AsyncIterable<Uint8Array>,
  maxBytes: number,
  timeoutMs: number,
): Promise<Uint8Array> {
  const gathered = new GatheredBytes();
  // Not a for-await loop: leaving one would close the connection before the response is written.
  const { body, stop } = limitBodyTime(request[Symbol.asyncIterator](), timeoutMs);
  try {
    for (let next = await body.next(); !next.done; next = await body.next()) {
      if (gathered.length + next.value.length > maxBytes) throw new BodyTooLarge();
      gathered.add(next.value);
    }
    return gathered.take();
  } finally {
    stop();
  }
}
