import { BlockList, isIP } from "node:net";
import { familyOf } from "../../hosts/host-list.ts";

/**
 * Whether an address is one of the public internet. Of IPv4 everything is, but for the ranges below; of IPv6 only what is
 * given out for it (2000::/3), but for those: so addresses that carry one of IPv4 in them are none, whichever it is.
 */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !special.check(address, "ipv4");
    case 6:
      return globalUnicast.check(address, "ipv6") && !special.check(address, "ipv6");
    default:
      return false;
  }
}

const globalUnicast = new BlockList();
globalUnicast.addSubnet("2000::", 3, "ipv6");

const special = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8], // this network
  ["10.0.0.0", 8], // private
  ["100.64.0.0", 10], // shared by a provider's customers
  ["127.0.0.0", 8], // this machine
  ["168.63.129.16", 32], // a cloud's own services for its machines
  ["169.254.0.0", 16], // this link; clouds give out credentials there
  ["172.16.0.0", 12], // private
  ["192.0.0.0", 24], // protocols
  ["192.0.2.0", 24], // documentation
  ["192.88.99.0", 24], // the way into 6to4
  ["192.168.0.0", 16], // private
  ["198.18.0.0", 15], // measurements
  ["198.51.100.0", 24], // documentation
  ["203.0.113.0", 24], // documentation
  ["224.0.0.0", 4], // many at once
  ["240.0.0.0", 4], // not given out, and everybody here
  ["2001::", 23], // protocols, among them Teredo, which carries addresses of IPv4
  ["2001:db8::", 32], // documentation
  ["2002::", 16], // 6to4, which carries addresses of IPv4
  ["3fff::", 20], // documentation
] as const)
  special.addSubnet(network, bits, familyOf(network));
