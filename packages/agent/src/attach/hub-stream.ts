import { type ClientHttp2Stream, constants, type IncomingHttpHeaders } from "node:http2";
import {
  type AttachAgentResponse,
  AttachAgentResponseSchema,
  decodeBinary,
  defaultLimits,
  RegistryService,
} from "@baton/contract";
import { Code, ConnectError } from "@connectrpc/connect";
import { findTrailerError, validateResponse } from "@connectrpc/connect/protocol-grpc";
import type { HubClient } from "../hub-client.ts";
import { FrameCutter } from "./frames.ts";
import { Sender } from "./sender.ts";

const { attachAgent } = RegistryService.method;
const path = `/${attachAgent.parent.typeName}/${attachAgent.name}`;

export interface HubStreamParts {
  readonly hub: HubClient;
  /** Breaks the stream off. */
  readonly signal: AbortSignal;
  opened(sender: Sender): void;
  heard(message: AttachAgentResponse["message"]): void;
}

/**
 * One stream of RegistryService.AttachAgent, straight on HTTP/2: it carries every message of the agent, and Connect's
 * chain of iterators would cost more than the tasks do. Resolves when the hub has ended it in good order; rejects with
 * what the hub said, or with what broke it.
 */
export function openHubStream({ hub, signal, opened, heard }: HubStreamParts): Promise<void> {
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
      listen(made, hub, (message) => (isOver ? undefined : heard(message)), end);
      if (isOver) made.close(constants.NGHTTP2_CANCEL);
      else opened(new Sender(made));
    }, end);
  });
}

type End = (error?: unknown) => void;

function listen(stream: ClientHttp2Stream, hub: HubClient, heard: HubStreamParts["heard"], end: End): void {
  const cutter = new FrameCutter(AttachAgentResponseSchema.typeName, defaultLimits.maxBytes);
  /** Whether the hub has said how it ends, and what. */
  let said: { readonly error: ConnectError | undefined } | undefined;
  stream.on("response", (headers) => {
    try {
      const { foundStatus, headerError } = validateResponse(Number(headers[":status"]), webHeaders(headers));
      if (foundStatus) said = { error: headerError };
    } catch (error) {
      end(error);
    }
  });
  stream.on("data", (piece: Buffer) => {
    hub.noteAlive(stream);
    try {
      for (const bytes of cutter.cut(piece)) heard(decodeBinary(AttachAgentResponseSchema, bytes).message);
    } catch (error) {
      end(error);
    }
  });
  stream.on("trailers", (headers) => {
    const trailers = webHeaders(headers);
    if (trailers.has("grpc-status")) said = { error: findTrailerError(trailers) };
  });
  stream.on("end", () => {
    if (said) end(said.error);
  });
  stream.on("error", end);
  stream.on("close", () => end(said ? said.error : broken(stream.rstCode)));
}

function broken(code: number | undefined): ConnectError {
  return new ConnectError(`the stream broke off with the HTTP/2 code ${code ?? 0}`, Code.Unavailable);
}

function webHeaders(headers: IncomingHttpHeaders): Headers {
  const found = Object.entries(headers).filter(
    ([name, value]) => !name.startsWith(":") && value !== undefined,
  );
  return new Headers(found.map(([name, value]) => [name, String(value)]));
}
