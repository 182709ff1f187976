import type { ServerHttp2Stream } from "node:http2";

/**
 * Writes what the hub tells until it ends, the signal fires, or it throws. The next item is asked for when the client has
 * room for it: `put` is false as long as it has none. The hub's iterator is ended either way.
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
    Promise.resolve(iterator.return?.()).catch(() => undefined); // What it throws has been told, or nobody hears it.
  });
}
