import {
  AuditService,
  ContractError,
  decodeBinary,
  decodeJson,
  defaultLimits,
  type Limits,
  OrchestratorService,
} from "@baton/contract";
import type { DescMethod, Message } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import type { UniversalServerRequest } from "@connectrpc/connect/protocol";
import { compressionGzip } from "@connectrpc/connect-node";
import type { Call } from "../calls/call.ts";
import { type ErrorContext, toConnectError } from "../errors/to-connect-error.ts";
import type { ServerLimits } from "../limits.ts";
import { checkBytes, compressedUnsaid, type Frame, FrameCutter } from "./frame-cutter.ts";
import { GatheredBytes } from "./gathered-bytes.ts";
import { limitBodyTime } from "./limit-body-time.ts";
import { boundDeadline } from "./request-headers.ts";

/** How the messages of a body are written. */
interface Form {
  readonly json: boolean;
  /** Whether each is behind its flags and its length, or the body is the one message. */
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
 * Connect's decoders bound the bytes of a message and nothing else. So its messages are decoded here, by the contract's,
 * which also bound depth and number, and name the field at fault. Connect gets an empty message in the place of each
 * and drives the call; the method takes the real one from the call. Nothing is decoded twice, and what is checked is
 * what is used.
 */
export function decodeBody(
  request: UniversalServerRequest,
  call: Call,
  { limits: { messageBytes, bodyTimeoutMs }, ...telling }: ErrorContext & { readonly limits: ServerLimits },
): UniversalServerRequest {
  const form = formOf(request.header.get("content-type") ?? "");
  if (form === undefined || !isBytes(request.body)) return request; // Connect answers that it does not speak it.
  const header = new Headers(request.header);
  const gzip = header.get(form.encodingHeader) === compressionGzip.name;
  if (gzip) header.delete(form.encodingHeader); // Of any other, Connect answers which ones there are.
  header.delete("content-length");
  boundDeadline(header);
  const limits = { ...defaultLimits, maxBytes: messageBytes };
  const body = decodeMessages(request.body, call, {
    ...{ form, gzip, limits, bodyTimeoutMs, telling },
  });
  return { ...request, header, body };
}

interface Decoding {
  readonly form: Form;
  readonly gzip: boolean;
  readonly limits: Limits;
  readonly bodyTimeoutMs: number;
  readonly telling: ErrorContext;
}

async function* decodeMessages(body: AsyncIterable<Uint8Array>, call: Call, decoding: Decoding) {
  const { form, gzip, limits, telling } = decoding;
  const { input, methodKind } = call.method;
  const read = form.framed ? readFrames : readWhole;
  // By hand: to leave a loop over a request's body would close the connection before the answer is written.
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
    const told = toConnectError(error, telling);
    call.code = told.code;
    throw told;
  } finally {
    limited.stop();
  }
}

function decode(method: DescMethod, bytes: Uint8Array, form: Form, limits: Limits): Message {
  if (!form.json) return decodeBinary(method.input, bytes, limits);
  return decodeJson(method.input, bytes, { limits, unknownFields: unknownFieldsOf(method) });
}

/** JSON to these is written by people, who want to hear of a misspelt field; agents are peers, and may be newer. */
function unknownFieldsOf({ parent }: DescMethod): "refuse" | "ignore" {
  const byPeople: readonly string[] = [OrchestratorService.typeName, AuditService.typeName];
  return byPeople.includes(parent.typeName) ? "refuse" : "ignore";
}

async function decompress(
  bytes: Uint8Array<ArrayBuffer>,
  gzip: boolean,
  typeName: string,
  { maxBytes }: Limits,
): Promise<Uint8Array> {
  if (!gzip) {
    throw compressedUnsaid(typeName);
  }
  try {
    return await compressionGzip.decompress(bytes, maxBytes);
  } catch (cause) {
    if (ConnectError.from(cause).code === Code.ResourceExhausted) {
      const problem = `decompressed it has more than the ${maxBytes} bytes that are accepted`;
      throw new ContractError("BATON-CONTRACT-001", typeName, problem, [], { cause });
    }
    throw new ContractError("BATON-CONTRACT-002", typeName, "it cannot be decompressed", [], { cause });
  }
}

/** A message without fields, in the form of the body. */
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

/** A body of messages, each behind its flags and its length. */
async function* readFrames(body: Body, typeName: string, maxBytes: number): AsyncGenerator<Frame> {
  const cutter = new FrameCutter(typeName, maxBytes);
  for (let next = await body.next(); !next.done; next = await body.next()) {
    cutter.add(next.value);
    for (let frame = cutter.next(); frame !== undefined; frame = cutter.next()) yield frame;
  }
  cutter.end();
}
