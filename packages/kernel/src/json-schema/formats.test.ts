import { expect, it } from "vitest";
import { formats } from "./formats.ts";
import { validateValue } from "./validate-value.ts";

const cases: Readonly<Record<string, readonly [valid: readonly string[], invalid: readonly string[]]>> = {
  date: [
    ["2024-02-29", "2000-02-29"],
    ["2023-02-29", "1900-02-29", "2024-13-01", "2024-00-10", "24-01-01", "2024-04-31"],
  ],
  time: [
    ["00:00:00Z", "23:59:60Z", "15:59:60-08:00", "12:00:00.5+01:30"],
    ["24:00:00Z", "12:00:00", "12:60:00Z", "12:00:60Z"],
  ],
  "date-time": [
    ["2024-02-29T23:59:60Z", "2024-01-01t00:00:00z"],
    ["2024-02-30T00:00:00Z", "2024-01-01", "2024-01-01T00:00:00"],
  ],
  email: [
    ["a@b.example", "first.last+tag@sub.example.org"],
    ["a@", "@b", "a b@c.d", ".a@b.c", "a..b@c.d", "a.@b.c", "a@-b.c"],
  ],
  hostname: [
    ["localhost", "a-b.example"],
    ["-a", "a_b", "a..b", "", `${"a".repeat(64)}.b`],
  ],
  ipv4: [
    ["0.0.0.0", "255.255.255.255"],
    ["256.0.0.1", "1.2.3", "01.2.3.4", "1.2.3.4.5"],
  ],
  ipv6: [
    ["::", "::1", "1:2:3:4:5:6:7:8", "fe80::1:2", "::ffff:1.2.3.4", "1::"],
    ["1:2:3", ":::", "1::2::3", "12345::", "1:2:3:4:5:6:7:8:9", ""],
  ],
  uri: [
    ["https://a.example/b?c#d", "urn:isbn:1", "mailto:a@b.c"],
    ["/relative", "no scheme", "http://a b", "http://a/%zz"],
  ],
  uuid: [
    ["0F0e0d0c-0000-4000-8000-000000000001"],
    ["0f0e0d0c00004000800000000000000001", "g0000000-0000-4000-8000-000000000001"],
  ],
};

it("[SAC-11] the formats that are enforced", () => {
  expect(Object.keys(cases).toSorted()).toEqual(Object.keys(formats).toSorted());
  for (const [format, [valid, invalid]] of Object.entries(cases)) {
    for (const text of valid) expect(validateValue({ format }, text), `${format} ${text}`).toEqual([]);
    for (const text of invalid)
      expect(validateValue({ format }, text), `${format} ${text}`).toMatchObject([{ rule: "format" }]);
    expect(validateValue({ format }, 7)).toEqual([]);
    expect(validateValue({ format }, `a${"a".repeat(10_000)}`)).toMatchObject([{ rule: "format" }]);
  }
});
