import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HostList } from "../../lib/host-list.ts";
import { Guard, type GuardOptions } from "./guard.ts";
import { isPublicAddress } from "./public-address.ts";

function guard(options: Partial<GuardOptions> & { readonly allowed?: readonly string[] } = {}): Guard {
  const { allowed = [], ...rest } = options;
  const resolve = async () => ["93.184.215.14"];
  return new Guard({
    hosts: new HostList(allowed, "references.hosts"),
    resolve,
    ownAddresses: () => [],
    ...rest,
  });
}

const notPublic = "only public hosts on the default port and hosts of references.hosts are read";

describe("an address", () => {
  it.each([
    ["0.0.0.0", "this network"],
    ["0.1.2.3", "this network"],
    ["10.0.0.1", "private"],
    ["10.255.255.255", "private"],
    ["100.64.0.1", "shared by a provider"],
    ["100.127.255.255", "shared by a provider"],
    ["100.100.100.200", "a cloud's credentials"],
    ["127.0.0.1", "loopback"],
    ["127.255.255.254", "loopback"],
    ["168.63.129.16", "a cloud's services"],
    ["169.254.169.254", "link-local, a cloud's credentials"],
    ["172.16.0.1", "private"],
    ["172.31.255.255", "private"],
    ["192.0.0.170", "protocols"],
    ["192.0.2.1", "documentation"],
    ["192.88.99.1", "6to4 relay"],
    ["192.168.0.1", "private"],
    ["198.18.0.1", "measurements"],
    ["198.19.255.255", "measurements"],
    ["198.51.100.1", "documentation"],
    ["203.0.113.1", "documentation"],
    ["224.0.0.1", "multicast"],
    ["239.255.255.255", "multicast"],
    ["240.0.0.1", "not given out"],
    ["255.255.255.255", "broadcast"],
    ["::", "unspecified"],
    ["::1", "loopback"],
    ["::7f00:1", "IPv4-compatible"],
    ["::5db8:d70e", "IPv4-compatible, also of a public one"],
    ["::ffff:127.0.0.1", "mapped"],
    ["::ffff:93.184.215.14", "mapped, also of a public one"],
    ["::ffff:0:127.0.0.1", "translated"],
    ["64:ff9b::7f00:1", "NAT64"],
    ["64:ff9b:1::1", "local NAT64"],
    ["100::1", "discarded"],
    ["2001::1", "Teredo"],
    ["2001:2::1", "measurements"],
    ["2001:10::1", "hashes"],
    ["2001:db8::1", "documentation"],
    ["2002:7f00:1::1", "6to4"],
    ["3fff::1", "documentation"],
    ["4000::1", "not given out"],
    ["5f00::1", "segments"],
    ["fc00::1", "unique-local"],
    ["fd00:ec2::254", "unique-local, a cloud's credentials"],
    ["fe80::1", "link-local"],
    ["fe80::1%eth0", "link-local with a zone"],
    ["fec0::1", "site-local"],
    ["ff02::1", "multicast"],
    ["", "none"],
    ["localhost", "a name"],
    ["127.1", "a short form"],
  ])("[DIS-11] such as %j is not public: %s", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each([
    "1.1.1.1",
    "93.184.215.14",
    "100.63.255.255",
    "100.128.0.1",
    "172.15.0.1",
    "172.32.0.1",
    "192.0.1.1",
  ])("[DIS-11] such as %s is public", (address) => expect(isPublicAddress(address)).toBe(true));

  it.each(["2606:4700::1111", "2a00:1450::1", "2001:4860:4860::8888", "2003::1"])(
    "[DIS-11] such as %s is public",
    (address) => expect(isPublicAddress(address)).toBe(true),
  );
});

/** The same address of IPv4 as people write it who do not want it to be seen. */
const notations: readonly ((address: number) => string)[] = [
  (address) => [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join("."),
  (address) => String(address),
  (address) => `0x${address.toString(16)}`,
  (address) => `0${address.toString(8)}`,
  (address) => [24, 16, 8, 0].map((shift) => `0x${((address >>> shift) & 255).toString(16)}`).join("."),
  (address) => [24, 16, 8, 0].map((shift) => `0${((address >>> shift) & 255).toString(8)}`).join("."),
  (address) => `${address >>> 24}.${address & 0xffffff}`,
  (address) =>
    `0x${(address >>> 24).toString(16)}.${(address >>> 16) & 255}.0${(address & 0xffff).toString(8)}.`,
  ...["::ffff:", "::", "64:ff9b::", "::ffff:0:"].map(
    (prefix) => (address: number) =>
      `[${prefix}${(address >>> 16).toString(16)}:${(address & 0xffff).toString(16)}]`,
  ),
  (address) => `[2002:${(address >>> 16).toString(16)}:${(address & 0xffff).toString(16)}::]`,
];

describe("a URL", () => {
  it("[DIS-11] of an address that is not public is not read, in whatever notation", async () => {
    const inside = fc.oneof(
      ...(
        [
          [0x7f000000, 24],
          [0x0a000000, 24],
          [0xa9fe0000, 16],
          [0xac100000, 20],
          [0xc0a80000, 16],
          [0x64400000, 22],
          [0xe0000000, 28],
          [0, 24],
        ] as const
      ).map(([network, bits]) => fc.integer({ min: 0, max: 2 ** bits - 1 }).map((rest) => network + rest)),
    );
    await fc.assert(
      fc.asyncProperty(inside, fc.constantFrom(...notations), async (address, write) => {
        await expect(guard().target(`http://${write(address)}/`)).rejects.toThrow(notPublic);
      }),
      { numRuns: 2_000 },
    );
  });

  it("[DIS-11] of a public address is read in plain notations, from that address", async () => {
    const plain = notations.slice(0, 8);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0x01010000, max: 0x09ffffff }),
        fc.constantFrom(...plain),
        async (address, write) => {
          expect((await guard().target(`http://${write(address)}/`)).addresses).toEqual([
            notations[0]?.(address),
          ]);
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each([
    ["http://127.0.0.1/", "plain"],
    ["http://127.1/", "short"],
    ["http://2130706433/", "one decimal number"],
    ["http://0x7f000001/", "one hexadecimal number"],
    ["http://0x7f.0.0.1/", "hexadecimal parts"],
    ["http://017700000001/", "one octal number"],
    ["http://0177.0.0.1/", "octal parts"],
    ["http://0177.0.0x1/", "octal and hexadecimal"],
    ["http://00000177.0.0.01/", "octal with more zeros"],
    ["http://127.0.0.1./", "with a dot at its end"],
    ["http://127.0.0.1:80/", "with its usual port"],
    ["http://１２７.０.０.１/", "wide digits"],
    ["http://①②⑦.⓪.⓪.①/", "digits in circles"],
    ["http://127。0。0。1/", "other dots"],
    ["http://%31%32%37.0.0.1/", "percent-encoded"],
    ["http://0/", "zero"],
    ["http://0.0.0.0/", "any"],
    ["http://169.254.169.254/latest/meta-data/", "link-local"],
    ["http://0xa9fea9fe/", "link-local, hexadecimal"],
    ["http://2852039166/", "link-local, decimal"],
    ["http://0251.0376.0251.0376/", "link-local, octal"],
    ["http://10.0.0.1/", "private"],
    ["http://012.0.0.1/", "private, octal"],
    ["http://100.64.0.1/", "shared"],
    ["http://224.0.0.1/", "multicast"],
    ["http://[::1]/", "loopback"],
    ["http://[0:0:0:0:0:0:0:1]/", "loopback, written out"],
    ["http://[::]/", "any"],
    ["http://[::ffff:127.0.0.1]/", "mapped"],
    ["http://[::ffff:7f00:1]/", "mapped, hexadecimal"],
    ["http://[::127.0.0.1]/", "IPv4-compatible"],
    ["http://[64:ff9b::127.0.0.1]/", "NAT64"],
    ["http://[2002:7f00:1::]/", "6to4"],
    ["http://[fe80::1]/", "link-local"],
    ["http://[fd00::1]/", "unique-local"],
    ["http://[ff02::1]/", "multicast"],
    ["http:\\\\127.0.0.1\\", "backslashes"],
    ["http:127.0.0.1", "without slashes"],
    ["  http://127.0.0.1/  ", "with blanks around"],
    ["ht\ntp://127.0.0.1/", "with line breaks"],
    ["http://93.184.215.14:22/", "a port that is not usual"],
    ["https://example.com:80/", "the port of the other scheme"],
    ["http://example.com:443/", "the port of the other scheme"],
    ["http://example.com:8080/", "a port that is not usual"],
  ])("[DIS-11] %j is not read: %s", async (url) => {
    await expect(guard().target(url)).rejects.toThrow(notPublic);
  });

  it.each([
    ["http://user@example.com/", "the address contains credentials"],
    ["http://user:secret@example.com/", "the address contains credentials"],
    ["http://:secret@example.com/", "the address contains credentials"],
    ["http://example.com@127.0.0.1/", "the address contains credentials"],
    ["ftp://example.com/", "only http and https are read"],
    ["file:///etc/passwd", "only http and https are read"],
    ["gopher://127.0.0.1/", "only http and https are read"],
    ["data:text/plain,a", "only http and https are read"],
    ["javascript:alert(1)", "only http and https are read"],
    ["ws://example.com/", "only http and https are read"],
    ["example.com/it", "it is not a URL"],
    ["http://", "it is not a URL"],
    ["http://[fe80::1%25eth0]/", "it is not a URL"],
    ["http://256.0.0.1/", "it is not a URL"],
    ["http://127.0.0.1.256.1/", "it is not a URL"],
    ["http://example.com:99999/", "it is not a URL"],
    ["http://exa mple.com/", "it is not a URL"],
    ["", "it is not a URL"],
  ])("[DIS-11] %j is not read: %s", async (url, reason) => {
    await expect(guard().target(url)).rejects.toThrow(reason);
  });

  it.each([
    "http://example.com/",
    "https://example.com/",
    "http://example.com:80/",
    "https://example.com:443/",
  ])("[DIS-11] %s is read, from the address that was checked", async (url) => {
    expect((await guard().target(url)).addresses).toEqual(["93.184.215.14"]);
  });

  it.each([
    [["127.0.0.1"]],
    [["93.184.215.14", "127.0.0.1"]],
    [["10.0.0.1", "93.184.215.14"]],
    [["2606:4700::1111", "fd00::1"]],
    [["93.184.215.14", "::ffff:10.0.0.1"]],
    [["93.184.215.14", "what"]],
  ])("[DIS-11] is not read when its name means %j: one that is not public is enough", async (addresses) => {
    const resolve = async () => addresses;
    await expect(guard({ resolve }).target("http://example.com/")).rejects.toThrow(notPublic);
  });

  it("[DIS-11] is not read when its name means nothing", async () => {
    const nothing = "its host has no address";
    await expect(guard({ resolve: async () => [] }).target("http://a.example/")).rejects.toThrow(nothing);
    const failing = async () => Promise.reject(new Error("no server"));
    await expect(guard({ resolve: failing }).target("http://a.example/")).rejects.toThrow(nothing);
  });

  it("[DIS-11] is not read from this machine, which may have a public address", async () => {
    const own = guard({ ownAddresses: () => ["93.184.215.14"] });
    await expect(own.target("http://example.com/")).rejects.toThrow(notPublic);
  });

  it("[DIS-11] is read from hosts that the operator names, at any port", async () => {
    const allowed = guard({
      allowed: ["wiki.internal", "10.1.0.0/16", "fd00::/8"],
      resolve: async (name) => (name === "wiki.internal" ? ["10.2.0.1"] : ["10.1.0.1"]),
    });
    expect((await allowed.target("http://wiki.internal:8080/")).port).toBe(8080);
    expect((await allowed.target("http://10.1.2.3:81/")).addresses).toEqual(["10.1.2.3"]);
    expect((await allowed.target("http://other.internal/")).addresses).toEqual(["10.1.0.1"]);
    expect((await allowed.target("http://[fd00::1]/")).host).toBe("fd00::1");
    await expect(allowed.target("http://10.2.0.1/")).rejects.toThrow(notPublic);
  });

  it("[DIS-11] of a named host is not read from the link, where clouds keep credentials", async () => {
    const allowed = guard({ allowed: ["wiki.internal"], resolve: async () => ["169.254.169.254"] });
    await expect(allowed.target("http://wiki.internal/")).rejects.toThrow(notPublic);
  });
});
