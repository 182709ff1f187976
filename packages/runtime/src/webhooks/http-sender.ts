import { type IncomingMessage, request } from "node:http";
import { HostList } from "../lib/host-list.ts";
import type { HookMessage, HookSender, SendOutcome } from "../ports/hook-sender.ts";
import { Unreadable } from "../references/unreadable.ts";
import { Guard, type Resolve, type Target } from "../references/url/guard.ts";
import { openSocket, type Trust } from "../references/url/open-socket.ts";
import type { WebhookLimits } from "./limits.ts";
import { parseKey, signatures } from "./sign.ts";

export interface HttpSenderOptions {
  /** Hosts that may be called although they are not public; read for each message. */
  readonly hosts: () => readonly string[];
  readonly nowMs: () => number;
  readonly limits: WebhookLimits;
  readonly resolve?: Resolve | undefined;
  readonly trust?: Trust;
}

const setting = "webhooks.hosts";

/** The guard of webhooks: https to public hosts on the default port, anything to hosts that the operator names. */
export function webhookGuard(hosts: readonly string[], resolve?: Resolve): Guard {
  return new Guard({ hosts: new HostList(hosts, setting), resolve, setting, verb: "called", needsTls: true });
}

/** Posts messages by the Standard Webhooks specification. Redirects are not followed. */
export function httpSender({ hosts, nowMs, limits, resolve, trust }: HttpSenderOptions): HookSender {
  let known: { readonly hosts: readonly string[]; readonly guard: Guard } | undefined;
  const guardNow = (): Guard => {
    const now = hosts();
    if (known?.hosts !== now) known = { hosts: now, guard: webhookGuard(now, resolve) };
    return known.guard;
  };
  return {
    async send(message, signal) {
      try {
        const inTime = AbortSignal.any([signal, AbortSignal.timeout(limits.timeoutMs)]);
        const target = await guardNow().target(message.address);
        const headers = headersOf(message, Math.floor(nowMs() / 1_000));
        const answer = await post(target, headers, message.body, limits, trust, inTime);
        answer.on("error", () => {}).destroy();
        return outcomeOf(answer);
      } catch (error) {
        return { ok: false, reason: reasonOf(error) };
      }
    },
  };
}

/** Signed again at each attempt, since receivers refuse old timestamps. */
function headersOf({ id, body, secrets }: HookMessage, timestampSec: number): Record<string, string> {
  const keys = secrets.map(parseKey);
  return {
    "content-type": "application/json",
    "content-length": String(body.length),
    "user-agent": "baton",
    "webhook-id": id,
    "webhook-timestamp": String(timestampSec),
    ...(keys.length > 0 && { "webhook-signature": signatures(keys, id, timestampSec, body) }),
  };
}

/** One request on its own connection: no environment variable, proxy or agent affects it. */
async function post(
  target: Target,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
  limits: WebhookLimits,
  trust: Trust,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const socket = await openSocket(target, limits, trust, signal);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const { url } = target;
  const outgoing = request({
    method: "POST",
    createConnection: () => socket,
    path: url.pathname + url.search,
    headers: { host: url.host, connection: "close", ...headers },
    maxHeaderSize: limits.headerBytes,
    signal,
  });
  outgoing.once("response", resolve).on("error", reject);
  outgoing.once("upgrade", (_, upgraded) => {
    upgraded.destroy();
    reject(new Unreadable("its server requests another protocol"));
  });
  outgoing.end(body);
  return promise;
}

function outcomeOf({ statusCode = 0, headers }: IncomingMessage): SendOutcome {
  if (statusCode >= 200 && statusCode < 300) return { ok: true };
  if (statusCode >= 300 && statusCode < 400)
    return { ok: false, reason: "it redirects, and redirects are not followed" };
  const reason = `it answers ${statusCode}`;
  if (statusCode === 410) return { ok: false, reason, gone: true };
  const seconds = Number(headers["retry-after"]);
  return { ok: false, reason, ...(seconds > 0 && { retryAfterMs: seconds * 1_000 }) };
}

/** Unexpected errors are reduced to their code, because their text may contain the address. */
function reasonOf(error: unknown): string {
  if (error instanceof Unreadable) return error.message;
  if (error instanceof Error && error.name === "TimeoutError") return "it did not answer in time";
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/^[A-Z][A-Z0-9_]{1,60}$/.test(code)) return `it cannot be reached: ${code}`;
  return error instanceof Error && error.message.startsWith("the ") ? error.message : "it cannot be reached";
}
