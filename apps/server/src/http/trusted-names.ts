import type { NodeRequest } from "../transport/end-unread-body.ts";

/** Which names and pages a port answers to. */
export interface TrustedNames {
  /** Whether only this machine can reach the port. */
  readonly isLoopback: boolean;
  readonly port: number;
  /** Names besides those of the loopback, with or without a port. */
  readonly allowedHosts: readonly string[];
  /** Origins of pages besides those that come from the port itself, such as `https://baton.example`. */
  readonly allowedOrigins: readonly string[];
}

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Why a request is not answered; undefined when it is.
 *
 * A page that somebody else serves can make a browser on this machine call the loopback, by an address that leads there
 * or by a name that suddenly does. The browser tells by `Host` which name was used, and by `Origin` which page asks.
 */
export function whyNotTrusted(request: NodeRequest, names: TrustedNames): string | undefined {
  const host = hostOf(request);
  if (host === undefined) return "the request does not say by which name it came";
  if (!isTrustedHost(host, names)) return "the name by which the request came is not one of this server";
  const { origin } = request.headers;
  if (origin === undefined || isAllowedOrigin(origin, names)) return undefined;
  return isSameHost(origin, host)
    ? undefined
    : "the page from which the request came is not one of this server";
}

export function isAllowedOrigin(origin: string, { allowedOrigins }: TrustedNames): boolean {
  return allowedOrigins.includes(origin.toLowerCase());
}

/** With its port, in lower case. In HTTP/2 it is the authority. */
function hostOf(request: NodeRequest): string | undefined {
  const host = "stream" in request ? request.authority || request.headers.host : request.headers.host;
  return host !== undefined && /^[\w.\-[\]:]{1,300}$/.test(host) ? host.toLowerCase() : undefined;
}

function isTrustedHost(host: string, { isLoopback, port, allowedHosts }: TrustedNames): boolean {
  const name = host.replace(/:\d+$/, "");
  if (allowedHosts.includes(host) || allowedHosts.includes(name)) return true;
  if (!isLoopback) return allowedHosts.length === 0; // A stranger lacks the key, by whatever name they come.
  return loopbackNames.includes(name) && (host === `${name}:${port}` || (port === 80 && host === name));
}

function isSameHost(origin: string, host: string): boolean {
  return origin.toLowerCase() === `http://${host}` || origin.toLowerCase() === `https://${host}`;
}
