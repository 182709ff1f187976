import { Code, type ConnectError } from "@connectrpc/connect";
import { refuse } from "../errors/refuse.ts";

/** Limits the time in which the chunks of a body must arrive; `stop` lifts the limit. */
export function limitBodyTime(
  body: AsyncIterator<Uint8Array>,
  timeoutMs: number,
): { readonly body: AsyncIterator<Uint8Array>; stop(): void } {
  let expired = false;
  let expire: (() => void) | undefined;
  const timer = setTimeout(() => {
    expired = true;
    expire?.();
  }, timeoutMs);
  return {
    body: {
      next: () =>
        new Promise((resolve, reject) => {
          expire = () => reject(tooSlow(timeoutMs));
          if (expired) expire();
          else body.next().then(resolve, () => reject(wentAway()));
        }),
    },
    stop: () => clearTimeout(timer),
  };
}

export function tooSlow(timeoutMs: number): ConnectError {
  return refuse({
    code: Code.DeadlineExceeded,
    id: "BATON-SERVER-008",
    message: `the request did not arrive within ${timeoutMs} ms`,
    fix: "send the body without pauses, and end the stream after a single request",
  });
}

export function wentAway(): ConnectError {
  return refuse({
    code: Code.Canceled,
    id: "BATON-SERVER-008",
    message: "the caller went away before the request was complete",
    fix: "send the request again",
  });
}
