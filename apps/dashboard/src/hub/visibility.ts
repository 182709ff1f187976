/**
 * A browser has six connections to a hub, for all of its tabs together. One that nobody sees lets go of its streams after a
 * while, and takes them up where they were when it is looked at again.
 */
const hiddenMs = 20_000;

/** Fires when the page has been out of sight for a while, or when `ending` does. */
export function hiddenSignal(ending: AbortSignal): AbortSignal {
  const hidden = new AbortController();
  let timer = 0;
  const look = () => {
    clearTimeout(timer);
    if (document.hidden) timer = window.setTimeout(() => hidden.abort(), hiddenMs);
  };
  look();
  const done = AbortSignal.any([hidden.signal, ending]);
  document.addEventListener("visibilitychange", look, { signal: done });
  return hidden.signal;
}

/** Until the page is in sight, or `ending` fires. */
export function untilSeen(ending: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (!document.hidden || ending.aborted) return resolve();
    const seen = new AbortController();
    const done = () => {
      seen.abort();
      resolve();
    };
    document.addEventListener("visibilitychange", () => document.hidden || done(), { signal: seen.signal });
    ending.addEventListener("abort", done, { signal: seen.signal });
  });
}
