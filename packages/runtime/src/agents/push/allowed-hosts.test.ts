import { expect, it } from "vitest";
import { AllowedHosts } from "./allowed-hosts.ts";

function resolve(hosts: AllowedHosts, name: string): Promise<string> {
  return new Promise((found, failed) => {
    hosts.lookup(name, { family: 4 }, (error, address) => (error ? failed(error) : found(String(address))));
  });
}

it("allows only this machine by default", () => {
  const defaults = new AllowedHosts();
  expect(["127.0.0.1", "127.9.9.9", "::1"].filter((each) => !defaults.allowsAddress(each))).toEqual([]);
  const others = [
    "0.0.0.0",
    "10.0.0.1",
    "169.254.169.254",
    "192.168.1.1",
    "::",
    "fe80::1",
    "::ffff:10.0.0.1",
  ];
  expect(others.filter((each) => defaults.allowsAddress(each))).toEqual([]);
});

it("allows addresses and networks", () => {
  const hosts = new AllowedHosts(["10.1.0.0/16", "192.168.1.7", "fd00::/8"]);
  expect(["10.1.255.255", "192.168.1.7", "fd12::1"].filter((each) => !hosts.allowsAddress(each))).toEqual([]);
  expect(["10.2.0.0", "192.168.1.8", "fe00::1"].filter((each) => hosts.allowsAddress(each))).toEqual([]);
});

it("looks at what a name resolves to", async () => {
  expect(await resolve(new AllowedHosts(), "localhost")).toBe("127.0.0.1");
  // Short forms of addresses are names to Node, and need no server to be resolved.
  await expect(resolve(new AllowedHosts(), "10.1")).rejects.toMatchObject({ code: "EACCES" });
  expect(await resolve(new AllowedHosts(["10.0.0.0/8"]), "10.1")).toBe("10.0.0.1");
});

it("allows a name wherever it points, but never to the machine's own link", async () => {
  expect(await resolve(new AllowedHosts(["10.1"]), "10.1")).toBe("10.0.0.1");
  await expect(resolve(new AllowedHosts(["169.254.1"]), "169.254.1")).rejects.toMatchObject({
    code: "EACCES",
  });
});

it.each(["", "10.0.0.0/33", "10.0.0.0/x", "agents.example/8", "10.0.0.0/8/8", "no name"])(
  "says that %j is no entry",
  (entry) => {
    expect(() => new AllowedHosts([entry])).toThrow(TypeError);
  },
);
