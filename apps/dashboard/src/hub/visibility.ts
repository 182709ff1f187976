/** A browser has six connections to a hub for all tabs together, so a hidden tab closes its streams after this time. */
const hiddenMs = 20_000;

/** Aborts when the page has been hidden for a while, or with `ending`. */
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

/** Resolves when the page is visible or `ending` aborts. */
export function untilVisible(ending: AbortSignal): Promise<void> {
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
