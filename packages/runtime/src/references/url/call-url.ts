import { HostList } from "../../lib/host-list.ts";
import { defaultReferenceLimits } from "../limits.ts";
import { Unreadable } from "../unreadable.ts";
import { Guard, type Resolve } from "./guard.ts";
import type { Trust } from "./open-socket.ts";
import { type RequestParts, redirecting, requestOnce } from "./request-once.ts";

export interface UrlCallerOptions {
  /** Hosts that may be called although they are not public: names, addresses, networks. */
  readonly hosts: readonly string[];
  /** What lists them, for messages. */
  readonly setting: string;
  /** Whether an address may be called; applied to every redirect too. */
  readonly allows: (url: URL) => boolean;
  /** Of a body that is kept. */
  readonly maxBytes: number;
  readonly resolve?: Resolve | undefined;
  readonly trust?: Trust;
}

export interface UrlAnswer {
  readonly status: number;
  readonly mediaType: string;
  /** Of a redirect that is not followed. */
  readonly location: string | undefined;
  readonly body: Buffer;
  /** The body goes on. */
  readonly isCut: boolean;
}

type CallUrl = (url: string, parts: RequestParts, signal: AbortSignal) => Promise<UrlAnswer>;

/** Calls addresses through the URL guard. Redirects are followed for GET. Rejects with the reason, for people and models. */
export function urlCaller({ hosts, setting, allows, maxBytes, resolve, trust }: UrlCallerOptions): CallUrl {
  const guard = new Guard({ hosts: new HostList(hosts, setting), setting, verb: "called", resolve });
  const limits = defaultReferenceLimits;
  return async (text, parts, signal) => {
    let base: URL | undefined;
    let next = text;
    for (let hops = 0; hops <= limits.redirects; hops++) {
      const url = URL.parse(next, base?.href);
      if (!url || !allows(url)) throw new Unreadable(`${url?.href ?? next} is not allowed`);
      if (base?.protocol === "https:" && url.protocol !== "https:")
        throw new Unreadable("it redirects from https to http");
      const target = await guard.target(url.href);
      const answer = await requestOnce(target, parts, { limits, trust, signal });
      try {
        const { statusCode: status = 0, headers } = answer;
        const { location, "content-encoding": coding = "identity" } = headers;
        if (redirecting.has(status) && location !== undefined && (parts.method ?? "GET") === "GET") {
          [base, next] = [url, location];
          continue;
        }
        if (coding !== "identity")
          throw new Unreadable("its server compresses although identity was requested");
        const chunks: Buffer[] = [];
        let size = 0;
        for await (const chunk of answer) {
          chunks.push(chunk);
          size += chunk.length;
          if (size > maxBytes) break;
        }
        const body = Buffer.concat(chunks).subarray(0, maxBytes);
        const mediaType = headers["content-type"] ?? "";
        return { status, mediaType, location, body, isCut: size > maxBytes };
      } finally {
        answer.on("error", () => {}).destroy();
      }
    }
    throw new Unreadable(`it redirects more than ${limits.redirects} times`);
  };
}
