import { describe, expect, it } from "vitest";
import { acceptsEncoding } from "./accepts-encoding.ts";

describe("whether a client takes gzip", () => {
  it.each([
    "gzip",
    "gzip, deflate, br, zstd",
    "deflate , GZIP ;q=0.5",
    "x-gzip",
    "*",
    "br;q=1.0, *;q=0.1",
    "gzip;q=0.001",
    "gzip;q=1.000",
    "gzip; Q=1",
    "identity;q=0.5, gzip",
    "identity, gzip",
  ])("[TUR-04] it does by %s", (header) => {
    expect(acceptsEncoding(header, "gzip")).toBe(true);
  });

  it.each([
    undefined,
    "",
    "identity",
    "br, deflate",
    "gzip;q=0",
    "gzip;q=0.000",
    "*, gzip;q=0",
    "*;q=0",
    "gzip;q=0.5, identity",
    "gzip;q=many",
    "gzip;q=-1",
    "gzip;q=2",
    "gzip;q=",
    "gzipped",
    ",;,q=1,;",
  ])("[TUR-04] it does not by %s", (header) => {
    expect(acceptsEncoding(header, "gzip")).toBe(false);
  });
});
