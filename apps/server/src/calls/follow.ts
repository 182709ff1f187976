/**
 * Yields the items until they end or the signal fires. Ends the iterator in any case, even when the consumer stops asking: a
 * client that went away does not ask for the next item. `check` may throw.
 */
export async function* followUntil<T>(
  signal: AbortSignal,
  items: AsyncIterable<T>,
  check?: (item: T) => void,
): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  const end = () => {
    Promise.resolve(iterator.return?.()).catch(() => undefined); // The next item throws the same error.
  };
  try {
    while (!signal.aborted) {
      const next = await nextUntil(signal, iterator);
      if (next === undefined || next.done) return;
      check?.(next.value);
      const stopListening = onAbort(signal, end);
      yield next.value;
      stopListening();
    }
  } finally {
    end();
  }
}

/** The next item; undefined when the signal fires first. Removes its listener after each wait. */
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
