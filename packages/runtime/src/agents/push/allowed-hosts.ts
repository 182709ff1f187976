import { lookup as resolve } from "node:dns";
import type { LookupFunction } from "node:net";
import { HostList } from "../../lib/host-list.ts";

const thisMachine = ["127.0.0.0/8", "::1"];
const loopback = new HostList(thisMachine, "");

/** The hosts that the hub may call: those that the operator lists, and this machine if allowed. */
export class AllowedHosts {
  readonly #hosts: HostList;

  constructor(entries: readonly string[] = [], callsThisMachine = true) {
    this.#hosts = new HostList([...(callsThisMachine ? thisMachine : []), ...entries], "allowed_agent_hosts");
  }

  allowsAddress(address: string): boolean {
    return this.#hosts.hasAddress(address);
  }

  /** An allowed name must not resolve to this machine: anyone who controls the name could reach local services. */
  #allows(name: string, address: string): boolean {
    if (name !== "localhost" && loopback.hasAddress(address)) return this.#hosts.hasAddress(address);
    return this.#hosts.has(name, address);
  }

  /**
   * Resolves a name to its allowed addresses. The connection uses the address that was checked here, so that a name which
   * changes in between gains nothing.
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
