import { createHash } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import { AgentError } from "../agent-error.ts";
import { limits } from "../limits.ts";

/** Binary content: all of it, or piece by piece. */
export type BinaryContent = Uint8Array | AsyncIterable<Uint8Array>;

/** Binary content within `data`, up to 256 KiB (SACP §11). */
export interface InlineBinary extends JsonObject {
  readonly $base64: string;
  readonly media_type: string;
}

/** Binary content that the hub stores; `url` is signed and expires. */
export interface UploadedBinary extends JsonObject {
  readonly $ref: string;
  readonly digest: string;
  readonly media_type: string;
  readonly size: number;
  readonly url: string;
  readonly expires_at: string;
}

export type Binary = InlineBinary | UploadedBinary;

/** Stores and reads content at the hub. */
export interface UploadClient {
  upload(content: AsyncIterable<Uint8Array>, mediaType: string, signal: AbortSignal): Promise<UploadedBinary>;
  download(id: string, signal: AbortSignal): Promise<Uint8Array>;
}

/** Small content becomes a part of `data`; larger content, and a stream that grows beyond it, is uploaded. */
export async function toBinary(
  content: BinaryContent,
  mediaType: string,
  client: UploadClient,
  signal: AbortSignal,
): Promise<Binary> {
  if (content instanceof Uint8Array && content.length <= limits.inlineBytes)
    return inline(content, mediaType);
  if (content instanceof Uint8Array) return client.upload(only(content), mediaType, signal);
  const pieces = content[Symbol.asyncIterator]();
  const begun: Uint8Array[] = [];
  for (let bytes = 0; bytes <= limits.inlineBytes; bytes += begun.at(-1)?.length ?? 0) {
    const next = await pieces.next();
    if (next.done) return inline(Buffer.concat(begun), mediaType);
    begun.push(next.value);
  }
  return client.upload(joined(begun, pieces), mediaType, signal);
}

/** The content of what `toBinary` returned, here or in an earlier agent. */
export async function fromBinary(
  value: JsonObject,
  client: UploadClient,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { $base64: base64, $ref: ref } = value;
  if (typeof base64 === "string") return Buffer.from(base64, "base64");
  const [, id] = typeof ref === "string" ? (/^baton:upload\/([0-9a-f]{64})$/.exec(ref) ?? []) : [];
  if (id === undefined)
    throw new AgentError("BATON-SDK-022", "the value is no binary content", {
      at: "task.download",
    });
  const content = await client.download(id, signal);
  const digest = `sha256:${createHash("sha256").update(content).digest("hex")}`;
  if (typeof value.digest !== "string" || value.digest === digest) return content;
  throw new AgentError("BATON-SDK-022", "the content has another digest than the value says", {
    at: "task.download",
    fix: "let the agent that sent the value upload the content again",
  });
}

function inline(content: Uint8Array, mediaType: string): InlineBinary {
  return { $base64: Buffer.from(content).toString("base64"), media_type: mediaType };
}

async function* only(content: Uint8Array): AsyncIterable<Uint8Array> {
  yield content;
}

async function* joined(
  begun: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncIterable<Uint8Array> {
  yield* begun;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
