import { isIP } from "node:net";
import { type AgentEndpoint, AgentTransport } from "@baton/contract";
import { HubError } from "../../ports/hub-error.ts";
import { type AllowedHosts, HostNotAllowed } from "./allowed-hosts.ts";

/** The validated address of a push agent. */
export interface Endpoint {
  readonly transport: "grpc" | "http-json";
  readonly url: URL;
}

const transports: Partial<Record<AgentTransport, Endpoint["transport"]>> = {
  [AgentTransport.GRPC]: "grpc",
  [AgentTransport.HTTP_JSON]: "http-json",
};

/** Throws `HubError` when the hub may not call it. `checkName` checks the addresses of a name. */
export function readEndpoint(
  { uri, transport: stated }: AgentEndpoint,
  hosts: AllowedHosts,
  uriLength: number,
): Endpoint {
  const transport = transports[stated];
  if (!transport) {
    const spoken = "AGENT_TRANSPORT_GRPC and AGENT_TRANSPORT_HTTP_JSON";
    throw refusal("BATON-PUSH-003", "transport", `the hub calls agents by ${spoken}`, `listen for ${spoken}`);
  }
  const url = uri.length <= uriLength ? URL.parse(uri) : null;
  const fault = url ? faultOf(url) : `it is no address of at most ${uriLength} characters`;
  if (!url || fault)
    throw refusal("BATON-PUSH-001", "uri", `${fault}`, "state an address such as http://127.0.0.1:7500");
  const host = hostOf(url);
  if (isIP(host) !== 0 && !hosts.allowsAddress(host)) throw notAllowed(host);
  return { transport, url };
}

/** Throws as `readEndpoint` when no address of the name may be called. Every call checks it again. */
export async function checkName({ url }: Endpoint, hosts: AllowedHosts): Promise<void> {
  const host = hostOf(url);
  if (isIP(host) !== 0) return;
  await new Promise<void>((resolve, reject) => {
    hosts.lookup(host, { all: true }, (error) => {
      // A name that does not resolve now does not refuse the agent.
      if (error instanceof HostNotAllowed) reject(notAllowed(host));
      else resolve();
    });
  });
}

function notAllowed(host: string): HubError {
  const fix = "let the agent attach, or add its host to allowed_agent_hosts in the hub's configuration";
  return refusal("BATON-PUSH-002", "uri", `the hub may not call ${host}`, fix);
}

/** The host to connect to: an IPv6 address without brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

function faultOf({ protocol, username, password, search, hash }: URL): string | undefined {
  if (protocol !== "http:" && protocol !== "https:") return "only http and https are called";
  if (username !== "" || password !== "") return "an address has no credentials in it";
  if (search !== "" || hash !== "") return "an address has no query and no fragment";
  return undefined;
}

function refusal(
  code: `BATON-PUSH-00${1 | 2 | 3}`,
  field: "uri" | "transport",
  message: string,
  fix: string,
): HubError {
  const violations = [{ field: `heartbeat.endpoint.${field}`, rule: code, message }];
  return new HubError(code === "BATON-PUSH-002" ? "denied" : "invalid", code, message, { fix, violations });
}
