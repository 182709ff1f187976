import { once } from "node:events";
import { connect, isIP, type Socket } from "node:net";
import { connect as connectSecurely } from "node:tls";
import type { ReferenceLimits } from "../limits.ts";
import { Unreadable } from "../unreadable.ts";
import type { Target } from "./guard.ts";

/** Additional trusted certificates, in PEM. */
export type Trust = string | undefined;

/**
 * Connects to the first checked address that answers. The certificate is verified for the name in the URL, not the
 * address.
 */
export async function openSocket(
  { host, port, isSecure, addresses }: Target,
  { addresses: tries, connectMs }: Pick<ReferenceLimits, "addresses" | "connectMs">,
  trust: Trust,
  signal: AbortSignal,
): Promise<Socket> {
  let failure: unknown;
  for (const address of addresses.slice(0, tries)) {
    signal.throwIfAborted();
    const socket = isSecure
      ? connectSecurely({
          ...{ host: address, port, ALPNProtocols: ["http/1.1"], rejectUnauthorized: true },
          ...(isIP(host) === 0 && { servername: host }),
          ...(trust !== undefined && { ca: trust }),
        })
      : connect({ host: address, port });
    try {
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(connectMs)]);
      await once(socket, isSecure ? "secureConnect" : "connect", { signal: inTime });
      return socket;
    } catch (error) {
      socket.on("error", () => {}).destroy();
      failure = isAbort(error) ? new Unreadable("no address of its host answers") : error;
    }
  }
  throw failure;
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}
