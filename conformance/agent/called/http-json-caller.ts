import {
  AgentResultSchema,
  CancelAgentRequestSchema,
  CancelAgentResponseSchema,
  decodeJson,
  defaultLimits,
  encodeJson,
  RunAgentResponseSchema,
  TaskEnvelopeSchema,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { jsonWithNewerFields } from "../newer-fields.ts";
import { authorization, type Caller, Refused } from "./caller.ts";

/** An agent may be newer than the suite. */
const tolerant = { unknownFields: "ignore" } as const;

/** `POST /run` and `POST /cancel` with protobuf JSON. */
export function httpJsonCaller(address: string, token: string | undefined): Caller {
  const post = async (path: string, body: string, signal: AbortSignal, sentToken = token) => {
    const headers = { "content-type": "application/json", ...authorization(sentToken) };
    const url = `${address.replace(/\/$/, "")}${path}`;
    const response = await fetch(url, { method: "POST", redirect: "error", body, headers, signal });
    if (response.status === 200 && response.body) return { response, body: response.body };
    await response.body?.cancel();
    const isRefusal = response.status >= 400 && response.status < 500 && response.status !== 429;
    const what = `status ${response.status}`;
    throw isRefusal ? new Refused(what, response.status === 401) : new Error(what);
  };
  return {
    async *run(envelope, { hasNewerFields, signal, token: sentToken }) {
      const json = hasNewerFields ? jsonWithNewerFields(envelope) : encodeJson(TaskEnvelopeSchema, envelope);
      const { response, body } = await post("/run", json, signal, sentToken);
      const type = response.headers.get("content-type") ?? "";
      if (/^application\/json\b/i.test(type)) {
        const value = decodeJson(AgentResultSchema, await textOf(body), tolerant);
        yield create(RunAgentResponseSchema, { message: { case: "result", value } });
      } else if (/^application\/x-ndjson\b/i.test(type)) {
        for await (const line of linesOf(body)) yield decodeJson(RunAgentResponseSchema, line, tolerant);
      } else {
        await body.cancel();
        throw new Error(`the content type "${type}"`);
      }
    },
    async cancel(request, signal) {
      const { body } = await post("/cancel", encodeJson(CancelAgentRequestSchema, request), signal);
      return decodeJson(CancelAgentResponseSchema, await textOf(body), tolerant).outcome;
    },
    close() {},
  };
}

/** Lines of a body as they come. Throws when one is longer than a message may be. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for await (const piece of body) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > defaultLimits.maxBytes) throw new Error("a line that is larger than a message may be");
    for (const line of lines) if (line.trim() !== "") yield line;
  }
  if (rest.trim() !== "") yield rest;
}

async function textOf(body: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for await (const piece of body) {
    text += decoder.decode(piece, { stream: true });
    if (text.length > defaultLimits.maxBytes) throw new Error("a body that is larger than a message may be");
  }
  return text;
}
