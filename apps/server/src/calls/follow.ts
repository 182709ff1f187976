/**
 * What the hub tells, until it ends or the signal fires. The hub's iterator is ended either way, also when nobody asks
 * for the next item any more: a client that has gone does not ask. Whoever looks at the items may throw.
 */
export async function* followUntil<T>(
  signal: AbortSignal,
  items: AsyncIterable<T>,
  look?: (item: T) => void,
): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  const end = () => {
    Promise.resolve(iterator.return?.()).catch(() => undefined); // What it throws, the next item throws too.
  };
  try {
    while (!signal.aborted) {
      const next = await nextUntil(signal, iterator);
      if (next === undefined || next.done) return;
      look?.(next.value);
      const stopListening = onAbort(signal, end);
      yield next.value;
      stopListening();
    }
  } finally {
    end();
  }
}

/** The next item; undefined when the signal fires first. Each wait has listeners of its own, so that none pile up. */
function nextUntil<T>(
  signal: AbortSignal,
  iterator: AsyncIterator<T>,
): Promise<IteratorResult<T> | undefined> {
  return new Promise((resolve, reject) => {
    const stopListening = onAbort(signal, () => resolve(undefined));
    iterator.next().then(resolve, reject).finally(stopListening);
  });
}

function onAbort(signal: AbortSignal, listener: () => void): () => void {
  signal.addEventListener("abort", listener, { once: true });
  return () => signal.removeEventListener("abort", listener);
}
