/** A longer event is passed on as it is; the answer is bounded elsewhere. */
const longestEvent = 1024 * 1024;

/**
 * A `fetch` that drops server-sent events of unknown types: providers add some at any time, and their packages take them for
 * errors.
 */
export function skipUnknownEvents(isKnown: (event: string) => boolean): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
    if (!isStream || response.body === null) return response;
    const { status, statusText, headers } = response;
    const body = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(knownEvents(isKnown))
      .pipeThrough(new TextEncoderStream());
    return new Response(body, { status, statusText, headers });
  };
}

function knownEvents(isKnown: (event: string) => boolean): TransformStream<string, string> {
  let rest = "";
  return new TransformStream({
    transform(chunk, controller) {
      rest += chunk;
      const end = endOfLastEvent(rest);
      if (end > 0) {
        const kept = rest
          .slice(0, end)
          .split(/(?<=\r?\n\r?\n)/)
          .filter((event) => isKnown(event) || !event.includes("data:"));
        if (kept.length > 0) controller.enqueue(kept.join(""));
        rest = rest.slice(end);
      }
      if (rest.length <= longestEvent) return;
      controller.enqueue(rest);
      rest = "";
    },
  });
}

/** After the last empty line. */
function endOfLastEvent(text: string): number {
  const plain = text.lastIndexOf("\n\n");
  const withReturns = text.lastIndexOf("\r\n\r\n");
  return Math.max(plain === -1 ? 0 : plain + 2, withReturns === -1 ? 0 : withReturns + 4);
}
