import { once } from "node:events";
import { type ClientHttp2Stream, connect, type IncomingHttpHeaders } from "node:http2";
import { pipeline } from "node:stream/promises";
import { AgentError } from "../agent-error.ts";
import { limits } from "../limits.ts";
import type { UploadClient, UploadedBinary } from "./binary.ts";

/** Uploads over a connection of its own: a large body would delay the messages of the attempt. */
export function hubUploads(address: string, apiKey: string | undefined): UploadClient {
  const authorization = apiKey ? { authorization: `Bearer ${apiKey}` } : {};
  const { pathname } = new URL(address);
  const root = `${pathname.replace(/\/$/, "")}/uploads`;

  async function exchange(
    headers: Readonly<Record<string, string>>,
    body: AsyncIterable<Uint8Array> | undefined,
    signal: AbortSignal,
  ): Promise<Buffer> {
    const session = connect(address);
    const failed = new Promise<never>((_, reject) => session.once("error", reject));
    failed.catch(() => {});
    const within = AbortSignal.any([signal, AbortSignal.timeout(limits.uploadMs)]);
    try {
      const stream = session.request({ ...authorization, ...headers }, { signal: within, endStream: !body });
      const answered = readAnswer(stream);
      answered.catch(() => {});
      // The hub may refuse in the middle of the body, which ends the pipeline early; its answer says why.
      const sent = body ? pipeline(body, stream, { end: true }).catch(() => {}) : undefined;
      return await Promise.race(
        [answered, failed, sent?.then(() => answered)].filter((one) => one !== undefined),
      );
    } catch (cause) {
      signal.throwIfAborted();
      if (cause instanceof AgentError) throw cause;
      throw new AgentError("BATON-SDK-023", "the content could not be exchanged with the hub", {
        at: address,
        cause,
      });
    } finally {
      session.destroy();
    }
  }

  return {
    upload: async (content, mediaType, signal) => {
      const headers = { ":method": "POST", ":path": root, "content-type": mediaType };
      return JSON.parse((await exchange(headers, content, signal)).toString()) as UploadedBinary;
    },
    download: (id, signal) => exchange({ ":method": "GET", ":path": `${root}/${id}` }, undefined, signal),
  };
}

async function readAnswer(stream: ClientHttp2Stream): Promise<Buffer> {
  const [headers] = (await once(stream, "response")) as [IncomingHttpHeaders & { ":status"?: number }];
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  const body = Buffer.concat(pieces);
  const status = headers[":status"] ?? 0;
  if (status >= 200 && status < 300) {
    const length = headers["content-length"];
    if (length !== undefined && Number(length) !== body.length) throw new Error("the content is cut off");
    return body;
  }
  const { message, fix } = refusalIn(body);
  throw new AgentError("BATON-SDK-023", message || `the hub answered with status ${status}`, {
    at: "/uploads",
    ...(fix && { fix }),
  });
}

function refusalIn(body: Buffer): { readonly message: string; readonly fix: string } {
  try {
    const { message = "", details = [] } = JSON.parse(body.toString()) as {
      message?: string;
      details?: { debug?: { code?: string; fix?: string } }[];
    };
    const { code = "", fix = "" } = details[0]?.debug ?? {};
    return { message: `${code} ${message}`.trim(), fix };
  } catch {
    return { message: "", fix: "" };
  }
}
