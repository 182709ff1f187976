import type { NodeRequest } from "../transport/end-unread-body.ts";

/** The host names and origins that a port accepts. */
export interface TrustedNames {
  /** Whether only this machine can reach the port. */
  readonly isLoopback: boolean;
  readonly port: number;
  /** In addition to the names of the loopback, with or without a port. */
  readonly allowedHosts: readonly string[];
  /** In addition to the port itself, such as `https://baton.example`. */
  readonly allowedOrigins: readonly string[];
}

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Why a request is refused; undefined when it is accepted.
 *
 * Protects the loopback from foreign pages in a browser on this machine, which can call its address, or a name that they
 * rebind to it. `Host` has the name that the browser used, `Origin` the page that sent the request.
 */
export function whyNotTrusted(request: NodeRequest, names: TrustedNames): string | undefined {
  const host = hostOf(request);
  if (host === undefined) return "the request has no valid host name";
  if (!isTrustedHost(host, names)) return "the host name of the request is not one of this server";
  const { origin } = request.headers;
  if (origin === undefined || isAllowedOrigin(origin, names)) return undefined;
  return isSameHost(origin, host) ? undefined : "the origin of the request is not one of this server";
}

export function isAllowedOrigin(origin: string, { allowedOrigins }: TrustedNames): boolean {
  return allowedOrigins.includes(origin.toLowerCase());
}

/** In lower case, with the port; in HTTP/2 the authority. */
function hostOf(request: NodeRequest): string | undefined {
  const host = "stream" in request ? request.authority || request.headers.host : request.headers.host;
  return host !== undefined && /^[\w.\-[\]:]{1,300}$/.test(host) ? host.toLowerCase() : undefined;
}

function isTrustedHost(host: string, { isLoopback, port, allowedHosts }: TrustedNames): boolean {
  const name = host.replace(/:\d+$/, "");
  if (allowedHosts.includes(host) || allowedHosts.includes(name)) return true;
  if (!isLoopback) return allowedHosts.length === 0; // Here the key protects, whatever the name.
  return loopbackNames.includes(name) && (host === `${name}:${port}` || (port === 80 && host === name));
}

function isSameHost(origin: string, host: string): boolean {
  return origin.toLowerCase() === `http://${host}` || origin.toLowerCase() === `https://${host}`;
}
