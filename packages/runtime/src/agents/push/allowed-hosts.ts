import { lookup as resolve } from "node:dns";
import type { LookupFunction } from "node:net";
import { HostList } from "../../hosts/host-list.ts";

const thisMachine = ["127.0.0.0/8", "::1"];
const loopback = new HostList(thisMachine, "");

/** Which machines the hub may call: those that the operator names, and this one where that is allowed. */
export class AllowedHosts {
  readonly #hosts: HostList;

  constructor(entries: readonly string[] = [], callsThisMachine = true) {
    this.#hosts = new HostList([...(callsThisMachine ? thisMachine : []), ...entries], "allowed_agent_hosts");
  }

  allowsAddress(address: string): boolean {
    return this.#hosts.hasAddress(address);
  }

  /** Whoever controls what an allowed name means must not lead the hub to its own machine by it. */
  #allows(name: string, address: string): boolean {
    if (name !== "localhost" && loopback.hasAddress(address)) return this.#hosts.hasAddress(address);
    return this.#hosts.has(name, address);
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
}

/** The name has no address that the hub may call. */
export class HostNotAllowed extends Error implements NodeJS.ErrnoException {
  override readonly name = "HostNotAllowed";
  readonly code = "EACCES";
  constructor(host: string) {
    super(`no address of "${host}" is in allowed_agent_hosts`);
  }
}
