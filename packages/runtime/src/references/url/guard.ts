import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import type { HostList } from "../../hosts/host-list.ts";
import { Unreadable } from "../unreadable.ts";
import { isPublicAddress } from "./public-address.ts";

/** All addresses of a name. */
export type Resolve = (name: string) => Promise<readonly string[]>;

export interface GuardOptions {
  /** Hosts that may be read though they are not public, and at any port. */
  readonly hosts: HostList;
  readonly resolve?: Resolve | undefined;
  /** The addresses of this machine, which may be public ones. */
  readonly ownAddresses?: (() => readonly string[]) | undefined;
}

/** A URL that may be read, and the addresses that it may be read from: nothing is resolved a second time. */
export interface Target {
  readonly url: URL;
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
  readonly addresses: readonly [string, ...string[]];
}

const usualPorts: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

/** Decides whether a URL may be read. It is asked again for every place that an answer points to. */
export class Guard {
  readonly #hosts: HostList;
  readonly #resolve: Resolve;
  readonly #ownAddresses: () => readonly string[];

  constructor({ hosts, resolve = systemResolve, ownAddresses = interfaceAddresses }: GuardOptions) {
    this.#hosts = hosts;
    this.#resolve = resolve;
    this.#ownAddresses = ownAddresses;
  }

  async target(text: string, base?: URL): Promise<Target> {
    const url = parse(text, base);
    const usual = usualPorts[url.protocol];
    if (usual === undefined) throw new Unreadable("only http and https are read");
    if (url.username !== "" || url.password !== "")
      throw new Unreadable("there are credentials in the address");
    const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
    const port = url.port === "" ? usual : Number(url.port);
    const [first, ...others] = isIP(host) === 0 ? await this.#resolve(host).catch(() => []) : [host];
    if (first === undefined) throw new Unreadable("its host has no address");
    const addresses = [first, ...others] as const;
    // One answer of several could be chosen later: all of them have to be right.
    if (!addresses.every((address) => this.#allows(host, address, port === usual))) throw notPublic();
    return { url, host, port, isSecure: url.protocol === "https:", addresses };
  }

  #allows(host: string, address: string, atUsualPort: boolean): boolean {
    if (this.#hosts.has(host, address)) return true;
    return atUsualPort && isPublicAddress(address) && !this.#ownAddresses().includes(address);
  }
}

/** One reason for all: whoever asks must not learn what is there, or what a name means inside. */
function notPublic(): Unreadable {
  return new Unreadable("only public hosts at their usual port are read, and those of references.hosts");
}

function parse(text: string, base: URL | undefined): URL {
  const url = URL.parse(text, base?.href);
  if (!url) throw new Unreadable("it is no URL");
  return url;
}

async function systemResolve(name: string): Promise<readonly string[]> {
  const found = await lookup(name, { all: true, order: "verbatim" });
  return found.map(({ address }) => address);
}

function interfaceAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((found) => found?.map(({ address }) => address) ?? []);
}
