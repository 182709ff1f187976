/** Calls of gRPC by somebody who writes and reads the bytes. */
import { once } from "node:events";
import { type ClientHttp2Stream, connect, type OutgoingHttpHeaders } from "node:http2";
import { type DescMessage, type DescMethod, fromBinary, type MessageShape } from "@bufbuild/protobuf";
import type { ConnectError } from "@connectrpc/connect";
import { findTrailerError } from "@connectrpc/connect/protocol-grpc";
import { onTestFinished } from "vitest";
import type { RunningServer } from "./running-server.ts";

/** A message as it stands in a stream. */
export function frame(bytes: Uint8Array, flags = 0): Buffer {
  const prefix = Buffer.from([flags, 0, 0, 0, 0]);
  prefix.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([prefix, bytes]);
}

/** A call that is under way until the test ends. */
export function openCall(
  server: RunningServer,
  method: DescMethod,
  headers: OutgoingHttpHeaders = {},
): ClientHttp2Stream {
  const session = connect(server.grpcAddress);
  onTestFinished(() => session.destroy());
  return session.request({
    ":method": "POST",
    ":path": `/${method.parent.typeName}/${method.name}`,
    "content-type": "application/grpc",
    te: "trailers",
    ...headers,
  });
}

/** Reads a call to its end: the messages, and how it ended. */
export async function readAll<Desc extends DescMessage>(
  stream: ClientHttp2Stream,
  schema: Desc,
): Promise<{ readonly messages: readonly MessageShape<Desc>[]; readonly error: ConnectError | undefined }> {
  const pieces: Buffer[] = [];
  stream.on("data", (piece: Buffer) => pieces.push(piece));
  const [headers] = await once(stream, "trailers");
  const trailers = new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  const messages: MessageShape<Desc>[] = [];
  for (let rest = Buffer.concat(pieces); rest.length > 0; ) {
    const length = 5 + rest.readUInt32BE(1);
    messages.push(fromBinary(schema, rest.subarray(5, length)));
    rest = rest.subarray(length);
  }
  return { messages, error: findTrailerError(trailers) };
}

/** The detail of an error, as far as it is text. */
export function detailText(error: ConnectError | undefined): string {
  const [detail] = error?.details ?? [];
  return detail && "type" in detail ? Buffer.from(detail.value).toString() : "";
}

/** Resolves when a number has not changed for a while. */
export async function steady(read: () => number): Promise<void> {
  for (let before = -1; before !== read(); ) {
    before = read();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
