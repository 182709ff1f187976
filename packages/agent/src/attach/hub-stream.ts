import { type ClientHttp2Stream, constants, type IncomingHttpHeaders } from "node:http2";
import {
  type AttachAgentResponse,
  AttachAgentResponseSchema,
  decodeBinary,
  defaultLimits,
  FrameCutter,
  RegistryService,
  unknownCompression,
} from "@baton/contract";
import { Code, ConnectError } from "@connectrpc/connect";
import { findTrailerError, validateResponse } from "@connectrpc/connect/protocol-grpc";
import type { HubClient } from "../hub-client.ts";
import { Sender } from "./sender.ts";

const { attachAgent } = RegistryService.method;
const path = `/${attachAgent.parent.typeName}/${attachAgent.name}`;

export interface HubStreamParts {
  readonly hub: HubClient;
  /** Aborts the stream. */
  readonly signal: AbortSignal;
  opened(sender: Sender): void;
  received(message: AttachAgentResponse["message"]): void;
}

/**
 * One stream of RegistryService.AttachAgent directly on HTTP/2: it carries every message of the agent, and Connect's
 * chain of iterators would cost more than the tasks do. Resolves when the hub ends it without an error; rejects with
 * the error of the hub or of the connection.
 */
export function openHubStream({ hub, signal, opened, received }: HubStreamParts): Promise<void> {
  return new Promise((resolve, reject) => {
    let stream: ClientHttp2Stream | undefined;
    let isOver = false;
    const end = (error?: unknown) => {
      isOver = true;
      signal.removeEventListener("abort", giveUp);
      if (error === undefined) resolve();
      else reject(error);
      stream?.close(error === undefined ? constants.NGHTTP2_NO_ERROR : constants.NGHTTP2_CANCEL);
    };
    const giveUp = () => end(signal.reason);
    signal.addEventListener("abort", giveUp);
    if (signal.aborted) return giveUp();
    hub.request(path).then((made) => {
      stream = made;
      listen(made, hub, (message) => (isOver ? undefined : received(message)), end);
      if (isOver) made.close(constants.NGHTTP2_CANCEL);
      else opened(new Sender(made));
    }, end);
  });
}

type End = (error?: unknown) => void;

function listen(
  stream: ClientHttp2Stream,
  hub: HubClient,
  received: HubStreamParts["received"],
  end: End,
): void {
  const cutter = new FrameCutter(AttachAgentResponseSchema.typeName, defaultLimits.maxBytes);
  /** The gRPC status, once the hub has sent it. */
  let status: { readonly error: ConnectError | undefined } | undefined;
  stream.on("response", (headers) => {
    try {
      const { foundStatus, headerError } = validateResponse(Number(headers[":status"]), toHeaders(headers));
      if (foundStatus) status = { error: headerError };
    } catch (error) {
      end(error);
    }
  });
  stream.on("data", (chunk: Buffer) => {
    hub.noteAlive(stream);
    try {
      cutter.add(chunk);
      for (let frame = cutter.next(); frame; frame = cutter.next()) {
        if (frame.compressed) throw unknownCompression(AttachAgentResponseSchema.typeName);
        received(decodeBinary(AttachAgentResponseSchema, frame.bytes).message);
      }
    } catch (error) {
      end(error);
    }
  });
  stream.on("trailers", (headers) => {
    const trailers = toHeaders(headers);
    if (trailers.has("grpc-status")) status = { error: findTrailerError(trailers) };
  });
  stream.on("end", () => {
    if (status) end(status.error);
  });
  stream.on("error", end);
  stream.on("close", () => end(status ? status.error : aborted(stream.rstCode)));
}

function aborted(code: number | undefined): ConnectError {
  return new ConnectError(`the stream ended with the HTTP/2 code ${code ?? 0}`, Code.Unavailable);
}

function toHeaders(headers: IncomingHttpHeaders): Headers {
  const found = Object.entries(headers).filter(
    ([name, value]) => !name.startsWith(":") && value !== undefined,
  );
  return new Headers(found.map(([name, value]) => [name, String(value)]));
}
