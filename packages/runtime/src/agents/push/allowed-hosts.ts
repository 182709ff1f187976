import { lookup as resolve } from "node:dns";
import type { LookupFunction } from "node:net";
import { HostList } from "../../hosts/host-list.ts";

/** Which machines the hub may call. This machine itself always; the others as the operator says. */
export class AllowedHosts {
  readonly #hosts: HostList;

  constructor(entries: readonly string[] = []) {
    this.#hosts = new HostList(["127.0.0.0/8", "::1", ...entries], "allowedAgentHosts");
  }

  allowsAddress(address: string): boolean {
    return this.#hosts.hasAddress(address);
  }

  /**
   * Resolves a name to those of its addresses that are allowed. The connection goes to the very address that was
   * checked here: a name that points elsewhere a moment later gains nothing.
   */
  readonly lookup: LookupFunction = (name, options, callback) => {
    resolve(name, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, "", 0);
      const allowed = found.filter(({ address }) => this.#hosts.has(name, address));
      const [first] = allowed;
      if (!first) return callback(new HostNotAllowed(name), "", 0);
      if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}

/** The name has no address that the hub may call. */
export class HostNotAllowed extends Error implements NodeJS.ErrnoException {
  override readonly name = "HostNotAllowed";
  readonly code = "EACCES";
  constructor(host: string) {
    super(`no address of "${host}" is among the allowedAgentHosts`);
  }
}
