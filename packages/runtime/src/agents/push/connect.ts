import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { AllowedHosts } from "./allowed-hosts.ts";
import { hostOf } from "./endpoint.ts";
import type { PushLimits } from "./settings.ts";

/** The only place where the hub opens a connection to an agent. It is destroyed when it takes too long to open. */
export function openConnection(
  url: URL,
  protocol: "h2" | "http/1.1",
  hosts: AllowedHosts,
  { connectMs, pingMs }: PushLimits,
): Socket {
  const host = hostOf(url);
  const isSecure = url.protocol === "https:";
  const port = Number(url.port || (isSecure ? 443 : 80));
  const where = { host, port, lookup: hosts.lookup };
  const socket = isSecure
    ? connectTls({ ...where, ALPNProtocols: [protocol], ...(isIP(host) === 0 && { servername: host }) })
    : connectTcp(where);
  const late = setTimeout(
    () => socket.destroy(new Error(`no connection to ${url.host} within ${connectMs} ms`)),
    connectMs,
  );
  const opened = () => clearTimeout(late);
  socket.once(isSecure ? "secureConnect" : "connect", opened).once("close", opened);
  socket.setKeepAlive(true, pingMs);
  socket.setNoDelay(true);
  return socket;
}
