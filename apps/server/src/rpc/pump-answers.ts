import type { ServerHttp2Stream } from "node:http2";

/**
 * Writes the hub's items until they end, the signal fires, or an error occurs. Requests the next item when the client can
 * receive it: `put` returns false when it cannot. Ends the hub's iterator in any case.
 */
export function pumpAnswers<Item>(
  items: AsyncIterable<Item>,
  put: (item: Item) => boolean,
  stream: ServerHttp2Stream,
  signal: AbortSignal,
): Promise<void> {
  const iterator = items[Symbol.asyncIterator]();
  const pumped = new Promise<void>((resolve, reject) => {
    const step = () => iterator.next().then(write, reject);
    const write = (next: IteratorResult<Item>) => {
      if (next.done || signal.aborted) return resolve();
      try {
        if (put(next.value)) step();
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
    Promise.resolve(iterator.return?.()).catch(() => undefined); // Its error has been reported, or the client has gone.
  });
}
