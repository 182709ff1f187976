import { describe, expect, it } from "vitest";
import { maskKeys } from "./mask-keys.ts";

const first = "-----BEGIN RSA PRIVATE KEY-----";
const last = "-----END RSA PRIVATE KEY-----";
const body = (which: string) => `MIIE${which}`.padEnd(64, "x");
const masked = "[redacted:private-key]";

const diff = (...lines: readonly string[]) => ["@@ -1,9 +1,9 @@", ...lines, ""].join("\n");

describe("a private key in a diff", () => {
  it("[OBS-05] is masked line by line", () => {
    expect(maskKeys(diff(`+${first}`, `+${body("a")}`, `+${last}`, "+more"))).toBe(
      diff(`+${masked}`, `+${masked}`, `+${masked}`, "+more"),
    );
  });

  it("[OBS-05] is masked where it replaces another one under the same first line", () => {
    const lines = [
      ` ${first}`,
      `-${body("old")}`,
      `-${last}`,
      `+${body("new")}`,
      `+${last}`,
      "\\ No newline",
    ];
    expect(maskKeys(diff(...lines))).toBe(
      diff(` ${masked}`, `-${masked}`, `-${masked}`, `+${masked}`, `+${masked}`, "\\ No newline"),
    );
  });

  it("[OBS-05] is masked where the hunk begins or ends within it", () => {
    expect(maskKeys(diff("+text of a file", ` ${body("a")}`, `+${body("b")}`, ` ${last}`, "+more"))).toBe(
      diff("+text of a file", ` ${masked}`, `+${masked}`, ` ${masked}`, "+more"),
    );
    expect(maskKeys(diff("+more", `+${first}`, `+${body("a")}`))).toBe(
      diff("+more", `+${masked}`, `+${masked}`),
    );
  });

  it("leaves the header of the next file unchanged", () => {
    const next = ["diff --git a/b b/b", "--- a/b", "+++ b/b", diff("+more")].join("\n");
    expect(maskKeys(`${diff(`+${first}`)}${next}`)).toBe(`${diff(`+${masked}`)}${next}`);
  });

  it("leaves public keys and code around a key unchanged", () => {
    const open = diff("+-----BEGIN PUBLIC KEY-----", `+${body("a")}`, "+-----END PUBLIC KEY-----");
    expect(maskKeys(open)).toBe(open);
    expect(maskKeys(diff(`+const key = \`${first}`, `+${body("a")}`, `+${last}\`;`))).toBe(
      diff(`+const key = \`${masked}`, `+${masked}`, `+${masked}\`;`),
    );
    const prose = diff("+// A PRIVATE KEY begins with a line of its own.", "+const a = 1;");
    expect(maskKeys(prose)).toBe(prose);
  });
});
