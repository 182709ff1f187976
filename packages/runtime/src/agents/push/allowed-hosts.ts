import { lookup as resolve } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

/** Which machines the hub may call. This machine itself always; the others as the operator says. */
export class AllowedHosts {
  readonly #names = new Set<string>();
  readonly #networks = new BlockList();

  constructor(entries: readonly string[] = []) {
    for (const entry of ["127.0.0.0/8", "::1", ...entries]) this.#add(entry);
  }

  allowsAddress(address: string): boolean {
    return this.#networks.check(address, familyOf(address));
  }

  /**
   * Resolves a name to those of its addresses that are allowed. The connection goes to the very address that was
   * checked here: a name that points elsewhere a moment later gains nothing.
   */
  readonly lookup: LookupFunction = (name, options, callback) => {
    resolve(name, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, "", 0);
      const allowed = found.filter(({ address }) => this.#allows(name, address));
      const [first] = allowed;
      if (!first) return callback(new HostNotAllowed(name), "", 0);
      if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };

  #allows(name: string, address: string): boolean {
    if (this.allowsAddress(address)) return true;
    return this.#names.has(name.toLowerCase()) && !neverByName.check(address, familyOf(address));
  }

  #add(entry: string): void {
    const [host = "", bits, ...rest] = entry.split("/");
    if (rest.length === 0 && isIP(host) !== 0) {
      const most = isIP(host) === 4 ? 32 : 128;
      const prefix = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : most + 1;
      if (prefix <= most) return this.#networks.addSubnet(host, prefix, familyOf(host));
    } else if (bits === undefined && URL.canParse(`http://${host}/`) && host !== "") {
      this.#names.add(host.toLowerCase());
      return;
    }
    throw new TypeError(
      `allowedAgentHosts: "${entry}" is no name, no address and no network like 10.0.0.0/8`,
    );
  }
}

/** The name has no address that the hub may call. */
export class HostNotAllowed extends Error implements NodeJS.ErrnoException {
  override readonly name = "HostNotAllowed";
  readonly code = "EACCES";
  constructor(host: string) {
    super(`no address of "${host}" is among the allowedAgentHosts`);
  }
}

/** Who may choose what a name means must not reach these: the machine's own link, where clouds keep credentials. */
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

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}
