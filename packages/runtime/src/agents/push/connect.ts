import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { AllowedHosts } from "./allowed-hosts.ts";
import { hostOf } from "./endpoint.ts";
import type { PushLimits } from "./settings.ts";

/** Opens all connections to push agents. Destroyed when it does not open in time. */
export function openConnection(
  url: URL,
  protocol: "h2" | "http/1.1",
  hosts: AllowedHosts,
  { connectMs, pingMs }: PushLimits,
): Socket {
  const host = hostOf(url);
  const isSecure = url.protocol === "https:";
  const port = Number(url.port || (isSecure ? 443 : 80));
  const target = { host, port, lookup: hosts.lookup };
  const socket = isSecure
    ? connectTls({ ...target, ALPNProtocols: [protocol], ...(isIP(host) === 0 && { servername: host }) })
    : connectTcp(target);
  const timeout = setTimeout(
    () => socket.destroy(new Error(`no connection to ${url.host} within ${connectMs} ms`)),
    connectMs,
  );
  const opened = () => clearTimeout(timeout);
  socket.once(isSecure ? "secureConnect" : "connect", opened).once("close", opened);
  socket.setKeepAlive(true, pingMs);
  socket.setNoDelay(true);
  return socket;
}
