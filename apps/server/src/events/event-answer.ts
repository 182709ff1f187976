import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { EventList } from "@baton/runtime";
import { writeOnce } from "./event-frames.ts";
import { GzipStream, pieceNow, pieceOf } from "./shared-gzip.ts";

/**
 * The response with a stream of events, plain or compressed. All output passes through it, because a compressed stream ends
 * with a checksum of its content.
 */
export class EventAnswer {
  readonly #response: ServerResponse;
  readonly #gzip: GzipStream | undefined;
  #hasBegun = false;

  constructor(response: ServerResponse, isCompressed: boolean) {
    this.#response = response;
    this.#gzip = isCompressed ? new GzipStream() : undefined;
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  get hasEnded(): boolean {
    return this.#response.writableEnded;
  }

  /** Whether the client has not read everything sent so far. */
  get isBehind(): boolean {
    return this.#response.writableNeedDrain;
  }

  begin(): void {
    this.#hasBegun = true;
    this.#response.appendHeader("vary", "accept-encoding");
    this.#response.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-accel-buffering": "no", // Stops nginx from buffering the stream.
      ...(this.#gzip && { "content-encoding": "gzip" }),
    });
    if (this.#gzip) this.#response.write(this.#gzip.begin());
  }

  /** For short texts. */
  write(text: string): void {
    this.#response.write(this.#gzip ? this.#gzip.add(pieceNow(Buffer.from(text))) : text);
  }

  /** Resolves when the client can receive more, or has gone. */
  async writeEvents(events: EventList, signal: AbortSignal): Promise<void> {
    const bytes = writeOnce(events);
    const piece = this.#gzip && (await pieceOf(bytes));
    // Updates the checksum and writes in the same tick: other text may have been written during the compression.
    if (this.#response.write(piece && this.#gzip ? this.#gzip.add(piece) : bytes)) return;
    await once(this.#response, "drain", { signal }).catch(() => undefined);
  }

  end(): void {
    if (this.#hasBegun && this.#gzip) this.#response.end(this.#gzip.end());
    else this.#response.end();
  }
}
