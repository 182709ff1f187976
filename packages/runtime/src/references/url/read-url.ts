import type { IncomingMessage } from "node:http";
import { HostList } from "../../lib/host-list.ts";
import { ContentDigest, tooLarge } from "../content-digest.ts";
import type { ReferenceLimits } from "../limits.ts";
import type { Reading, ReadRef } from "../read-ref.ts";
import { Unreadable } from "../unreadable.ts";
import { Guard, type Resolve, type Target } from "./guard.ts";
import type { Trust } from "./open-socket.ts";
import { redirecting, requestOnce } from "./request-once.ts";

export interface UrlReaderOptions {
  /** Hosts that may be read although they are not public: names, addresses, networks. */
  readonly hosts?: readonly string[] | undefined;
  readonly resolve?: Resolve | undefined;
  readonly trust?: Trust;
}

/** Reads a web document. Its version is the ETag, otherwise Last-Modified. */
export function urlReader(options: UrlReaderOptions, limits: ReferenceLimits): ReadRef {
  const { hosts = [], resolve, trust } = options;
  const guard = new Guard({ hosts: new HostList(hosts, "references.hosts"), resolve });
  return async ({ uriOrLocator }, { signal }) => {
    let target = await guard.target(uriOrLocator);
    for (let hops = 0; hops <= limits.redirects; hops++) {
      const answer = await requestOnce(target, {}, { limits, trust, signal });
      try {
        if (!redirecting.has(answer.statusCode ?? 0)) return await readAnswer(answer, limits);
        target = await redirected(guard, target, answer);
      } finally {
        answer.on("error", () => {}).destroy();
      }
    }
    throw new Unreadable(`it redirects more than ${limits.redirects} times`);
  };
}

async function redirected(guard: Guard, from: Target, { headers }: IncomingMessage): Promise<Target> {
  if (headers.location === undefined) throw new Unreadable("it redirects without a location");
  const target = await guard.target(headers.location, from.url);
  if (from.isSecure && !target.isSecure) throw new Unreadable("it redirects from https to http");
  return target;
}

async function readAnswer(answer: IncomingMessage, { urlBytes }: ReferenceLimits): Promise<Reading> {
  const { statusCode, headers } = answer;
  if (statusCode !== 200) throw new Unreadable(`its server answers ${statusCode}`);
  const coding = headers["content-encoding"] ?? "identity";
  if (coding !== "identity") throw new Unreadable("its server compresses although identity was requested");
  if (Number(headers["content-length"]) > urlBytes) throw tooLarge(urlBytes);
  const digest = new ContentDigest(urlBytes);
  for await (const chunk of answer) digest.add(chunk);
  return { digest: digest.text(), versionOrSha: versionIn(headers) };
}

function versionIn({ etag, "last-modified": changed }: IncomingMessage["headers"]): string {
  const version = etag ?? changed ?? "";
  return /^[\x20-\x7e]{1,256}$/.test(version) ? version : "";
}
