import type { IncomingMessage, ServerResponse } from "node:http";
import { constants, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";

/** A request and its response over HTTP/1.1 or HTTP/2. */
export type NodeRequest = IncomingMessage | Http2ServerRequest;
export type NodeResponse = ServerResponse | Http2ServerResponse;

/**
 * When the answer is there and the request is not: nobody will read the rest. Over HTTP/1.1 what still comes is thrown
 * away, for as long as a request may take. Over HTTP/2 the client is told to stop, and what has come is thrown away: it
 * would keep the stream from ending.
 */
export function endUnreadBody(request: NodeRequest, response: NodeResponse): void {
  if (!("stream" in request)) {
    response.once("finish", () => {
      if (!request.complete) request.resume();
    });
    return;
  }
  const { stream } = request;
  const tellToStopOnceSent = () => {
    if (request.complete || stream.destroyed) return;
    // Nothing may overtake the end of the answer: it is the trailers, and they hold the status of gRPC.
    if (stream.state.localClose !== 1) {
      setTimeout(tellToStopOnceSent, lookAgainMs).unref();
      return;
    }
    stream.close(constants.NGHTTP2_NO_ERROR);
    stream.resume();
  };
  stream.once("wantTrailers", () => setImmediate(tellToStopOnceSent)); // Node sends them before the next turn.
  stream.once("finish", () => {
    if (stream.state.localClose === 1) tellToStopOnceSent(); // An answer without a body has no trailers.
  });
}

/** A client that does not read holds the end of its answer up. */
const lookAgainMs = 1_000;
