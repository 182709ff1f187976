import type { Address } from "../http/listen.ts";
import type { Given } from "./given.ts";

/** Such as `127.0.0.1:7433`, `[::1]:7433` or `localhost:7433`. */
export function readAddress(given: Given): Address {
  // A number is a port without its host: quotes would not mend it.
  const { value } = given;
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  const [, bracketed, plain, port] = /^(?:\[([0-9a-fA-F:.]+)\]|([\w.-]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host !== undefined && Number(port) <= 65_535) return { host, port: Number(port) };
  const isPort = host !== undefined || /^\d+$/.test(text);
  const ports = isPort ? "; ports end at 65535" : "";
  const fix = `write host and port, such as 127.0.0.1:7433 or [::1]:7433${ports}`;
  given.complain(`is not an address: ${JSON.stringify(value)}`, fix);
  return { host: "127.0.0.1", port: 0 };
}
