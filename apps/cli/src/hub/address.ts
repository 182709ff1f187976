import { CliError } from "../errors/cli-error.ts";

export const defaultHub = "http://127.0.0.1:7433";

/** Parses the hub's address: a URL without a path, or `host:port` for http. */
export function readAddress(text: string): URL {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  if (url === null || !["http:", "https:"].includes(url.protocol) || url.pathname !== "/" || url.search) {
    throw new CliError("BATON-CLI-001", `"${text}" is not the address of a hub`, {
      fix: `give one such as ${defaultHub}, with --hub or BATON_HUB`,
    });
  }
  if (url.username || url.password) {
    throw new CliError("BATON-CLI-001", "an address carries no name or password", {
      fix: "put the key into a file and name it with --api-key-file, or into BATON_API_KEY",
    });
  }
  return url;
}

/** Whether traffic to it stays on this machine. */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}
