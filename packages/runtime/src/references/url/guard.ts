import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import type { HostList } from "../../lib/host-list.ts";
import { Unreadable } from "../unreadable.ts";
import { isPublicAddress } from "./public-address.ts";

/** Resolves all addresses of a name. */
export type Resolve = (name: string) => Promise<readonly string[]>;

export interface GuardOptions {
  /** Hosts that may be read although they are not public, on any port. */
  readonly hosts: HostList;
  readonly resolve?: Resolve | undefined;
  /** Addresses of this machine, which may be public. */
  readonly ownAddresses?: (() => readonly string[]) | undefined;
  /** The setting with the hosts, and what is done with them, for errors. */
  readonly setting?: string | undefined;
  readonly verb?: string;
  /** Only hosts of the setting may be called without TLS. */
  readonly needsTls?: boolean;
}

/** A permitted URL with its resolved addresses, which are not resolved again. */
export interface Target {
  readonly url: URL;
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
  readonly addresses: readonly [string, ...string[]];
}

const defaultPorts: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

/** Decides whether a URL may be read; applied to every redirect. */
export class Guard {
  readonly #hosts: HostList;
  readonly #resolve: Resolve;
  readonly #ownAddresses: () => readonly string[];
  readonly #setting: string;
  readonly #verb: string;
  readonly #needsTls: boolean;

  constructor({
    hosts,
    resolve = systemResolve,
    ownAddresses = interfaceAddresses,
    setting = "references.hosts",
    verb = "read",
    needsTls = false,
  }: GuardOptions) {
    this.#setting = setting;
    this.#verb = verb;
    this.#needsTls = needsTls;
    this.#hosts = hosts;
    this.#resolve = resolve;
    this.#ownAddresses = ownAddresses;
  }

  async target(text: string, base?: URL): Promise<Target> {
    const url = parse(text, base);
    const defaultPort = defaultPorts[url.protocol];
    if (defaultPort === undefined) throw new Unreadable(`only http and https are ${this.#verb}`);
    if (url.username !== "" || url.password !== "") throw new Unreadable("the address contains credentials");
    const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
    const port = url.port === "" ? defaultPort : Number(url.port);
    const [first, ...others] = isIP(host) === 0 ? await this.#resolve(host).catch(() => []) : [host];
    if (first === undefined) throw new Unreadable("its host has no address");
    const addresses = [first, ...others] as const;
    // Any of the addresses could be used, so all must be permitted.
    const isSecure = url.protocol === "https:";
    const isPlain = port === defaultPort && (isSecure || !this.#needsTls);
    if (!addresses.every((address) => this.#allows(host, address, isPlain))) throw this.#notPublic();
    return { url, host, port, isSecure, addresses };
  }

  #allows(host: string, address: string, isPlain: boolean): boolean {
    if (this.#hosts.has(host, address)) return true;
    return isPlain && isPublicAddress(address) && !this.#ownAddresses().includes(address);
  }

  /** One reason for all, so that callers cannot probe the internal network. */
  #notPublic(): Unreadable {
    const hosts = this.#needsTls ? "public https hosts" : "public hosts";
    return new Unreadable(
      `only ${hosts} on the default port and hosts of ${this.#setting} are ${this.#verb}`,
    );
  }
}

function parse(text: string, base: URL | undefined): URL {
  const url = URL.parse(text, base?.href);
  if (!url) throw new Unreadable("it is not a URL");
  return url;
}

async function systemResolve(name: string): Promise<readonly string[]> {
  const found = await lookup(name, { all: true, order: "verbatim" });
  return found.map(({ address }) => address);
}

function interfaceAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((found) => found?.map(({ address }) => address) ?? []);
}
