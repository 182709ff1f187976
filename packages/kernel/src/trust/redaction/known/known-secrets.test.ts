import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor } from "../redactor.ts";
import { scrambled } from "../testing/examples.ts";
import { redactorOf } from "../testing/redactor.ts";

const value = 'zebra "crossing"/+ü';
const bytes = Buffer.from(value);
const redactor = redactorOf({ knownSecrets: [value] });

describe("known values", () => {
  it.each([
    ["as they are", value],
    ["in base64", bytes.toString("base64")],
    ["in base64 for addresses", bytes.toString("base64url")],
    ["in hex", bytes.toString("hex")],
    ["in capital hex", bytes.toString("hex").toUpperCase()],
    ["in an address", encodeURIComponent(value)],
    ["in a form", new URLSearchParams([["", value]]).toString().slice(1)],
    ["in JSON", JSON.stringify(value).slice(1, -1)],
    ["in JSON within JSON", JSON.stringify(JSON.stringify(value)).slice(3, -3)],
  ])("[OBS-05] are masked %s", (_, form) => {
    expect(redactor.redactText(`<${form}>`).text).toBe("<[redacted:known-secret]>");
  });

  it.each(["", "u", "us", "user:", "someone:"])("[OBS-05] are masked in base64 after %j", (before) => {
    for (const after of ["", "!", "!!", "!!!"]) {
      const encoded = Buffer.from(before + value + after).toString("base64");
      const { text } = redactor.redactText(`x ${encoded} y`);
      expect(text).toMatch(/^x [A-Za-z0-9+/]*\[redacted:known-secret\] y$/);
      expect(value).not.toContain(
        Buffer.from(text.slice(2).split("[")[0] ?? "", "base64")
          .toString()
          .slice(before.length) || "\0",
      );
    }
  });

  it("[OBS-05] are masked longest first, and whole where they overlap", () => {
    const nested = redactorOf({ knownSecrets: ["abcdefgh", "abcdefghijkl", "ghijklmnopq"] });
    expect(nested.redactText("-abcdefghijkl-").text).toBe("-[redacted:known-secret]-");
    expect(nested.redactText("-abcdefgh-").text).toBe("-[redacted:known-secret]-");
    expect(nested.redactText("-abcdefghijklmnopq-").text).toBe("-[redacted:known-secret]-");
    expect(nested.redactText("-abcdefghabcdefgh-").text).toBe(
      "-[redacted:known-secret][redacted:known-secret]-",
    );
  });

  it("[OBS-05] come before patterns", () => {
    const token = `gh${"p_"}${scrambled(36)}`;
    expect(redactorOf({ knownSecrets: [token] }).redactText(`token=${token}`).text).toBe(
      "token=[redacted:known-secret]",
    );
  });

  it("[OBS-05] are masked line by line where they have many", () => {
    const lines = [scrambled(40), scrambled(50).slice(10)];
    const many = redactorOf({ knownSecrets: [`${lines.join("\n")}\n`] });
    expect(many.redactText(`1: ${lines[0]}\n2: ${lines[1]}\n`).text).toBe(
      "1: [redacted:known-secret]\n2: [redacted:known-secret]\n",
    );
  });

  it.each([
    ["too short", "1234567", "has fewer than 8 characters"],
    ["too short without the line break", "1234567\n", "has fewer than 8 characters"],
    ["too long", "x".repeat(16_385), "has more than 16384 characters"],
    ["half a surrogate pair", "abcdefgh\ud800", "is not well-formed text"],
    ["part of a marker", "redacted", "is part of a marker that redaction writes"],
  ])("[OBS-05] are refused when %s, without being quoted", (_, secret, message) => {
    const made = createRedactor({ knownSecrets: ["long enough", secret] });
    expect(made).toEqual({
      ok: false,
      problems: [
        {
          code: "BATON-REDACTION-004",
          at: "known_secrets[1]",
          message,
          fix: expect.not.stringContaining(secret),
        },
      ],
    });
  });

  it("[OBS-05] never come out, whatever stands around them", () => {
    const anyAround = fc.string({ maxLength: 30, unit: "binary" });
    const property = fc.property(
      fc
        .string({ minLength: 8, maxLength: 40, unit: "grapheme" })
        .filter((text) => text.trim() === text && !/redacted|-secret/.test(text)),
      anyAround,
      anyAround,
      (secret, before, after) => {
        const made = createRedactor({ knownSecrets: [secret] });
        fc.pre(made.ok && secret.length >= 8);
        if (made.ok) expect(made.redactor.redactText(before + secret + after).text).not.toContain(secret);
      },
    );
    fc.assert(property, { numRuns: Number(process.env.BATON_FUZZ_RUNS) / 10 });
  });
});
