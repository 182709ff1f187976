import { once } from "node:events";
import { connect, isIP, type Socket } from "node:net";
import { connect as connectSecurely } from "node:tls";
import type { Target } from "./guard.ts";

/** Certificates to be believed besides those that Node believes. */
export type Trust = string | undefined;

/**
 * Connects to the addresses that were checked, the first that answers. The certificate is checked against the name in
 * the URL, not against the address.
 */
export async function openSocket(
  { host, port, isSecure, addresses }: Target,
  tries: number,
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
      await once(socket, isSecure ? "secureConnect" : "connect", { signal });
      return socket;
    } catch (error) {
      socket.on("error", () => {}).destroy();
      failure = error;
    }
  }
  throw failure;
}
