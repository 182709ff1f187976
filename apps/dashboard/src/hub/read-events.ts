/** One event of `text/event-stream`. */
export interface ServerEvent {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/**
 * Parses server-sent events. EventSource cannot send a key, so the stream is read here. `onSign` is called for all data,
 * signs of life included.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onSign: () => void,
): AsyncGenerator<ServerEvent> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as never)
    .getReader() as ReadableStreamDefaultReader<string>;
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onSign();
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = parse(block);
        if (event.data !== "") yield event;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function parse(block: string): ServerEvent {
  const fields: Record<string, string> = { id: "", event: "message", data: "" };
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    if (colon < 1) continue; // A comment: a sign of life.
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).replace(/^ /, "");
    fields[name] = name === "data" && fields.data !== "" ? `${fields.data}\n${value}` : value;
  }
  return { id: fields.id ?? "", event: fields.event ?? "", data: fields.data ?? "" };
}
