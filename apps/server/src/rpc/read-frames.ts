import { checkBytes, type Frame, FrameCutter } from "./frame-cutter.ts";
import { GatheredBytes } from "./gathered-bytes.ts";

type Body = AsyncIterator<Uint8Array>;

/** A body that is one message. */
export async function* readWhole(body: Body, typeName: string, maxBytes: number): AsyncGenerator<Frame> {
  const gathered = new GatheredBytes();
  for (let next = await body.next(); !next.done; next = await body.next()) {
    checkBytes(gathered.length + next.value.length, typeName, maxBytes);
    gathered.add(next.value);
  }
  yield { compressed: false, bytes: gathered.take() };
}

/** A body of messages, each behind its flags and its length. */
export async function* readFrames(body: Body, typeName: string, maxBytes: number): AsyncGenerator<Frame> {
  const cutter = new FrameCutter(typeName, maxBytes);
  for (let next = await body.next(); !next.done; next = await body.next()) {
    cutter.add(next.value);
    for (let frame = cutter.next(); frame !== undefined; frame = cutter.next()) yield frame;
  }
  cutter.end();
}
