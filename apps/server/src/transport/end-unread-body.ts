import type { IncomingMessage, ServerResponse } from "node:http";
import { constants, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";

/** A request and its response over HTTP/1.1 or HTTP/2. */
export type NodeRequest = IncomingMessage | Http2ServerRequest;
export type NodeResponse = ServerResponse | Http2ServerResponse;

/**
 * Discards the rest of a request whose response is complete. Over HTTP/1.1 it is read until the timeout of requests. Over
 * HTTP/2 the client is asked to stop, and received data, which would keep the stream open, is discarded.
 */
export function endUnreadBody(request: NodeRequest, response: NodeResponse): void {
  if (!("stream" in request)) {
    response.once("finish", () => {
      if (!request.complete) request.resume();
    });
    return;
  }
  const { stream } = request;
  const stopClientOnceSent = () => {
    if (request.complete || stream.destroyed) return;
    // Waits for the trailers, which have the status of gRPC.
    if (stream.state.localClose !== 1) {
      setTimeout(stopClientOnceSent, retryMs).unref();
      return;
    }
    stream.close(constants.NGHTTP2_NO_ERROR);
    stream.resume();
  };
  stream.once("wantTrailers", () => setImmediate(stopClientOnceSent)); // Node sends them in this tick.
  stream.once("finish", () => {
    if (stream.state.localClose === 1) stopClientOnceSent(); // A response without a body has no trailers.
  });
}

/** A client that does not read delays the trailers. */
const retryMs = 1_000;
