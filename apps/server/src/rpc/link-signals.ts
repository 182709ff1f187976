/** A signal that fires with the first of two. Nothing is left behind at the other: it may outlive many calls. */
export function linkSignals(one: AbortSignal, other: AbortSignal): AbortSignal {
  const linked = new AbortController();
  const fire = ({ target }: { readonly target: EventTarget | null }) => {
    one.removeEventListener("abort", fire);
    other.removeEventListener("abort", fire);
    linked.abort(target instanceof AbortSignal ? target.reason : undefined);
  };
  for (const signal of [one, other]) {
    signal.addEventListener("abort", fire);
    if (signal.aborted) fire({ target: signal });
  }
  return linked.signal;
}
