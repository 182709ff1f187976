import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maxLineLength } from "./lines.ts";
import { scrambled, secretExamples } from "./testing/examples.ts";
import { redactorOf } from "./testing/redactor.ts";

const redactor = redactorOf({ knownSecrets: ["correct horse battery"] });
const token = `gh${"p_"}${scrambled(36)}`;

function mask(chunks: readonly string[]) {
  const masker = redactor.createLineMasker();
  return [...chunks.flatMap((chunk) => masker.push(chunk)), ...masker.end()];
}

describe("terminal output by lines", () => {
  it("[TUR-06] says of each line whether something in it was masked", () => {
    expect(mask([`first\nuses ${token}\r\n\nlast`])).toEqual([
      { line: "first", masked: false },
      { line: "uses [redacted:github-token]", masked: true },
      { line: "", masked: false },
      { line: "last", masked: false },
    ]);
  });

  it.each([
    ...[
      "line 1",
      "x 12",
      "HTTP 200",
      "12:30",
      "call (415)",
      "1234",
      "port 80 -",
      "took 3.2 s",
      "[1/3]",
      "+1",
    ],
    ...["v1.2.3", "2026-01-31", "100 %", "error TS2741", "mail a.b", "see https://example.com/a", "token"],
  ])("[TUR-06] gives a line out when it ends, though personal data is masked: %s", (line) => {
    const masker = redactorOf({ personalData: "everywhere" }).createLineMasker();
    expect(masker.push(`${line}\n`)).toEqual([{ line, masked: false }]);
  });

  it("[TUR-06] goes on from what another one had not decided as that one would have", () => {
    const key = secretExamples.find(({ kind }) => kind === "private-key")?.secret ?? "";
    const text = `first\nuses ${token} and ${key} at once\n\nmulti correct horse battery\nla`;
    for (const chunks of [text.split(""), text.split(/(?<=\n)/), text.split(/(?<= )/)]) {
      let masker = redactor.createLineMasker();
      const lines = chunks.flatMap((chunk) => {
        const given = masker.push(chunk);
        masker = redactor.createLineMasker(undefined, masker.undecided);
        return given;
      });
      expect([...lines, ...masker.end()]).toEqual(mask([text]));
    }
  });

  it("[TUR-06] masks a secret that is split over two chunks", () => {
    for (let border = 1; border < token.length; border++) {
      expect(mask([`uses ${token.slice(0, border)}`, `${token.slice(border)} now\n`])).toEqual([
        { line: "uses [redacted:github-token] now", masked: true },
      ]);
    }
  });

  it("[TUR-06] gives out a line as soon as it ends", () => {
    const masker = redactor.createLineMasker();
    expect(masker.push("compiling")).toEqual([]);
    expect(masker.push(" 3 files\n")).toEqual([{ line: "compiling 3 files", masked: false }]);
    expect(masker.push(`token=${token}\n`)).toEqual([
      { line: "token=[redacted:github-token]", masked: true },
    ]);
    const everything = redactor.createLineMasker("secrets-and-personal");
    expect(everything.push("compiling 3 files\n")).toHaveLength(1);
  });

  it("[TUR-06] makes the lines of one secret one line", () => {
    const key = secretExamples.find(({ kind }) => kind === "private-key")?.secret;
    expect(mask([`a\n${key}\nb\n`])).toEqual([
      { line: "a", masked: false },
      { line: "[redacted:private-key]", masked: true },
      { line: "b", masked: false },
    ]);
  });

  it("[TUR-06] gives the same lines for every split, and breaks lines that are too long", () => {
    const anyPart = fc.constantFrom(
      "a",
      "\n",
      "😀",
      token,
      " ",
      "\r\n",
      "x".repeat(maxLineLength - 3),
      "correct horse battery",
    );
    const property = fc.property(
      fc.array(anyPart, { maxLength: 12 }),
      fc.array(fc.nat(), { maxLength: 5 }),
      (parts, positions) => {
        const text = parts.join("");
        const borders = [
          0,
          ...positions.map((position) => position % (text.length + 1)).sort((a, b) => a - b),
          text.length,
        ];
        const chunks = borders.slice(1).map((border, index) => text.slice(borders[index], border));
        const lines = mask(chunks);
        expect(lines).toEqual(mask([text]));
        for (const { line } of lines) {
          expect(line.length).toBeLessThanOrEqual(maxLineLength);
          expect(line.isWellFormed()).toBe(true);
        }
      },
    );
    fc.assert(property, { numRuns: Number(process.env.BATON_FUZZ_RUNS) / 5 });
  });

  it("[TUR-06] masks a single line", () => {
    expect(redactor.maskLine("all is well")).toEqual({ line: "all is well", masked: false });
    expect(redactor.maskLine("say correct horse battery")).toEqual({
      line: "say [redacted:known-secret]",
      masked: true,
    });
  });
});
