import { BlockList, isIP } from "node:net";

/** Hosts that an operator lists by name, address or network. */
export class HostList {
  readonly #names = new Set<string>();
  readonly #networks = new BlockList();

  /** `setting` names the list in errors. */
  constructor(entries: readonly string[], setting: string) {
    for (const entry of entries) {
      if (!this.#add(entry))
        throw new TypeError(`${setting}: "${entry}" is no name, no address and no network like 10.0.0.0/8`);
    }
  }

  hasAddress(address: string): boolean {
    return this.#networks.check(address, familyOf(address));
  }

  hasName(name: string): boolean {
    return this.#names.has(name.toLowerCase());
  }

  /** Whether this address may be called for this name. */
  has(name: string, address: string): boolean {
    return this.hasAddress(address) || (this.hasName(name) && !neverByName.check(address, familyOf(address)));
  }

  #add(entry: string): boolean {
    const [host = "", bits, ...rest] = entry.split("/");
    if (rest.length === 0 && isIP(host) !== 0) {
      const most = isIP(host) === 4 ? 32 : 128;
      const prefix = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : most + 1;
      if (prefix > most) return false;
      this.#networks.addSubnet(host, prefix, familyOf(host));
      return true;
    }
    if (bits !== undefined || host === "" || !URL.canParse(`http://${host}/`)) return false;
    this.#names.add(host.toLowerCase());
    return true;
  }
}

export function isHostEntry(entry: string): boolean {
  try {
    new HostList([entry], "");
    return true;
  } catch {
    return false;
  }
}

/** Never reachable by name, since DNS is controlled by others: link-local addresses, where clouds offer credentials, and similar. */
const neverByName = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["169.254.0.0", 16],
  ["224.0.0.0", 3],
] as const)
  neverByName.addSubnet(network, bits, "ipv4");
for (const [network, bits] of [
  ["::", 128],
  ["fe80::", 10],
  ["ff00::", 8],
] as const)
  neverByName.addSubnet(network, bits, "ipv6");

export function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}
