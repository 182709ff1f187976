/** A time that can be waited for, or called off. */
export interface Timer {
  readonly over: Promise<void>;
  clear(): void;
}

export function startTimer(ms: number): Timer {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timeout = setTimeout(resolve, ms);
  return { over: promise, clear: () => clearTimeout(timeout) };
}
