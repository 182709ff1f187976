import { BlockList, isIP } from "node:net";
import { familyOf } from "../../lib/host-list.ts";

/**
 * Whether an address is public. IPv4: everything except the ranges below. IPv6: global unicast (2000::/3) except the
 * ranges below, which excludes all addresses that embed IPv4.
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
  ["100.64.0.0", 10], // carrier-grade NAT
  ["127.0.0.0", 8], // this machine
  ["168.63.129.16", 32], // a cloud's service address
  ["169.254.0.0", 16], // link-local; clouds serve credentials there
  ["172.16.0.0", 12], // private
  ["192.0.0.0", 24], // protocols
  ["192.0.2.0", 24], // documentation
  ["192.88.99.0", 24], // 6to4 relays
  ["192.168.0.0", 16], // private
  ["198.18.0.0", 15], // benchmarking
  ["198.51.100.0", 24], // documentation
  ["203.0.113.0", 24], // documentation
  ["224.0.0.0", 4], // multicast
  ["240.0.0.0", 4], // reserved and broadcast
  ["2001::", 23], // protocols, including Teredo, which embeds IPv4
  ["2001:db8::", 32], // documentation
  ["2002::", 16], // 6to4, which embeds IPv4
  ["3fff::", 20], // documentation
] as const)
  special.addSubnet(network, bits, familyOf(network));
