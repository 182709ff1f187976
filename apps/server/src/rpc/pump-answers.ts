import type { ServerHttp2Stream } from "node:http2";
import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { GrpcAnswers } from "./grpc-answers.ts";

/**
 * Writes what the hub tells until it ends, the signal fires, or it throws. The next message is asked for when the client
 * has room for it. The hub's iterator is ended either way.
 */
export function pumpAnswers<Desc extends DescMessage>(
  messages: AsyncIterable<MessageShape<Desc>>,
  answers: GrpcAnswers<Desc>,
  stream: ServerHttp2Stream,
  signal: AbortSignal,
): Promise<void> {
  const iterator = messages[Symbol.asyncIterator]();
  const pumped = new Promise<void>((resolve, reject) => {
    const step = () => iterator.next().then(write, reject);
    const write = (next: IteratorResult<MessageShape<Desc>>) => {
      if (next.done || signal.aborted) return resolve();
      try {
        if (answers.put(next.value)) step();
        else stream.once("drain", step);
      } catch (error) {
        reject(error);
      }
    };
    signal.addEventListener("abort", () => resolve(), { once: true });
    if (signal.aborted) resolve();
    else step();
  });
  return pumped.finally(() => {
    Promise.resolve(iterator.return?.()).catch(() => undefined); // What it throws has been told, or nobody hears it.
  });
}
