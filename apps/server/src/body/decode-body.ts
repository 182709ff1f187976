import {
  AuditService,
  ContractError,
  checkBytes,
  decodeBinary,
  decodeJson,
  defaultLimits,
  type Frame,
  FrameCutter,
  GatheredBytes,
  type Limits,
  OrchestratorService,
  unknownCompression,
} from "@baton/contract";
import type { DescMethod, Message } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import type { UniversalServerRequest } from "@connectrpc/connect/protocol";
import { compressionGzip } from "@connectrpc/connect-node";
import type { Call } from "../calls/call.ts";
import { type ErrorContext, toConnectError } from "../errors/to-connect-error.ts";
import type { ServerLimits } from "../limits.ts";
import { limitBodyTime } from "./limit-body-time.ts";
import { boundDeadline } from "./request-headers.ts";

/** The encoding of a body. */
interface Form {
  readonly json: boolean;
  /** Whether a prefix of flags and length precedes each message, or the body is one message. */
  readonly framed: boolean;
  /** The header that names the compression. */
  readonly encodingHeader: string;
}

const forms: readonly (readonly [RegExp, string])[] = [
  [/^application\/grpc(?:-web)?(?:\+(?:(json)(?:; ?charset=utf-?8)?|proto))?$/i, "grpc-encoding"],
  [/^application\/connect\+(?:(json)(?:; ?charset=utf-?8)?|proto)$/i, "connect-content-encoding"],
  [/^application\/(?:(json)(?:; ?charset=utf-?8)?|proto)$/i, "content-encoding"],
];

function formOf(contentType: string): Form | undefined {
  for (const [pattern, encodingHeader] of forms) {
    const match = pattern.exec(contentType);
    if (match)
      return { json: match[1] !== undefined, framed: encodingHeader !== "content-encoding", encodingHeader };
  }
  return undefined;
}

/**
 * Decodes the messages with the contract's decoders, because Connect's limit only the bytes of a message. The contract's
 * also limit depth and number of elements, and name the invalid field. Connect receives an empty message for each and drives
 * the call; the method takes the decoded message from the call. Nothing is decoded twice.
 */
export function decodeBody(
  request: UniversalServerRequest,
  call: Call,
  {
    limits: { messageBytes, bodyTimeoutMs },
    ...errorContext
  }: ErrorContext & { readonly limits: ServerLimits },
): UniversalServerRequest {
  const form = formOf(request.header.get("content-type") ?? "");
  if (form === undefined || !isBytes(request.body)) return request; // Connect refuses the content type.
  const header = new Headers(request.header);
  const gzip = header.get(form.encodingHeader) === compressionGzip.name;
  if (gzip) header.delete(form.encodingHeader); // Connect refuses any other, and lists the supported ones.
  header.delete("content-length");
  boundDeadline(header);
  const limits = { ...defaultLimits, maxBytes: messageBytes };
  const body = decodeMessages(request.body, call, {
    ...{ form, gzip, limits, bodyTimeoutMs, errorContext },
  });
  return { ...request, header, body };
}

interface Decoding {
  readonly form: Form;
  readonly gzip: boolean;
  readonly limits: Limits;
  readonly bodyTimeoutMs: number;
  readonly errorContext: ErrorContext;
}

async function* decodeMessages(body: AsyncIterable<Uint8Array>, call: Call, decoding: Decoding) {
  const { form, gzip, limits } = decoding;
  const { input, methodKind } = call.method;
  const read = form.framed ? readFrames : readWhole;
  // Not a for-await loop: leaving one would close the connection before the response is written.
  const limited = limitBodyTime(body[Symbol.asyncIterator](), decoding.bodyTimeoutMs);
  try {
    for await (const frame of read(limited.body, input.typeName, limits.maxBytes)) {
      const isCompressed = form.framed ? frame.compressed : gzip;
      const bytes = isCompressed ? await decompress(frame.bytes, gzip, input.typeName, limits) : frame.bytes;
      call.receive(decode(call.method, bytes, form, limits));
      if (methodKind === "bidi_streaming") limited.stop();
      yield emptyMessage(form);
    }
  } catch (error) {
    throw call.fail(toConnectError(error, decoding.errorContext));
  } finally {
    limited.stop();
  }
}

function decode(method: DescMethod, bytes: Uint8Array, form: Form, limits: Limits): Message {
  if (!form.json) return decodeBinary(method.input, bytes, limits);
  return decodeJson(method.input, bytes, { limits, unknownFields: unknownFieldsOf(method) });
}

/** People write the JSON of these services, and need an error for a misspelt field; agents may be newer than the hub. */
function unknownFieldsOf({ parent }: DescMethod): "refuse" | "ignore" {
  const writtenByPeople: readonly string[] = [OrchestratorService.typeName, AuditService.typeName];
  return writtenByPeople.includes(parent.typeName) ? "refuse" : "ignore";
}

async function decompress(
  bytes: Uint8Array<ArrayBuffer>,
  gzip: boolean,
  typeName: string,
  { maxBytes }: Limits,
): Promise<Uint8Array> {
  if (!gzip) throw unknownCompression(typeName);
  try {
    return await compressionGzip.decompress(bytes, maxBytes);
  } catch (cause) {
    if (ConnectError.from(cause).code === Code.ResourceExhausted) {
      const problem = `the decompressed message exceeds ${maxBytes} bytes`;
      throw new ContractError("BATON-CONTRACT-001", typeName, problem, [], { cause });
    }
    throw new ContractError("BATON-CONTRACT-002", typeName, "the message cannot be decompressed", [], {
      cause,
    });
  }
}

/** An empty message in the form of the body. */
function emptyMessage({ json, framed }: Form): Uint8Array {
  const text = json ? [0x7b, 0x7d] : [];
  return Uint8Array.from(framed ? [0, 0, 0, 0, text.length, ...text] : text);
}

function isBytes(body: UniversalServerRequest["body"]): body is AsyncIterable<Uint8Array> {
  return typeof body === "object" && body !== null && Symbol.asyncIterator in body;
}

type Body = AsyncIterator<Uint8Array>;

/** A body that is one message. */
async function* readWhole(body: Body, typeName: string, maxBytes: number): AsyncGenerator<Frame> {
  const gathered = new GatheredBytes();
  for (let next = await body.next(); !next.done; next = await body.next()) {
    checkBytes(gathered.length + next.value.length, typeName, maxBytes);
    gathered.add(next.value);
  }
  yield { compressed: false, bytes: gathered.take() };
}

/** A body of messages, each with a prefix of flags and length. */
async function* readFrames(body: Body, typeName: string, maxBytes: number): AsyncGenerator<Frame> {
  const cutter = new FrameCutter(typeName, maxBytes);
  for (let next = await body.next(); !next.done; next = await body.next()) {
    cutter.add(next.value);
    for (let frame = cutter.next(); frame !== undefined; frame = cutter.next()) yield frame;
  }
  cutter.end();
}
