import { Code, type ConnectError } from "@connectrpc/connect";
import { refuse } from "../errors/refuse.ts";

/** The pieces of a body, as long as they come in time. `stop` ends the limit once enough is there. */
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
    message: `the request was not there within ${timeoutMs} ms`,
    fix: "send the body without a pause, and end the stream of a call that has one request",
  });
}

export function wentAway(): ConnectError {
  return refuse({
    code: Code.Canceled,
    id: "BATON-SERVER-008",
    message: "the caller went away before the request was complete",
    fix: "send it again",
  });
}
