import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { escapeJson, escapeLine, escapeLines } from "./escape.ts";
import { describeElapsed, describeMs } from "./format.ts";
import { piece } from "./paint.ts";
import { renderTable } from "./table.ts";
import { detectTerminal, type Terminal } from "./terminal.ts";
import { cut, widthOf, wrap, wrapIndented } from "./width.ts";

const wide: Terminal = {
  ...{ isTerminal: true, canRedraw: true, columns: 80, rows: 24, colours: false, unicode: true },
};

describe("what a stream can show", () => {
  const terminal = { isTTY: true, columns: 120, rows: 40 };

  it("colours only a terminal, and not one that asks for none", () => {
    expect(detectTerminal(terminal, {}, "linux").colours).toBe(true);
    expect(detectTerminal(terminal, { NO_COLOR: "1" }, "linux").colours).toBe(false);
    expect(detectTerminal(terminal, { TERM: "dumb" }, "linux").colours).toBe(false);
    expect(detectTerminal({}, {}, "linux").colours).toBe(false);
  });

  it("leaves lines whole in a pipe unless a width is stated", () => {
    expect(detectTerminal({}, {}, "linux").columns).toBe(Number.POSITIVE_INFINITY);
    expect(detectTerminal({}, { COLUMNS: "44" }, "linux").columns).toBe(44);
    expect(detectTerminal(terminal, { COLUMNS: "44" }, "linux").columns).toBe(120);
    expect(detectTerminal({ isTTY: true, columns: 0 }, {}, "linux").columns).toBe(80);
  });

  it("trusts signs beyond ASCII by the first of the locale's three variables that is set", () => {
    expect(detectTerminal({}, { LANG: "de_DE.UTF-8" }, "linux").unicode).toBe(true);
    expect(detectTerminal({}, { LANG: "de_DE.utf8", LC_ALL: "C" }, "linux").unicode).toBe(false);
    expect(detectTerminal({}, {}, "linux").unicode).toBe(false);
    expect(detectTerminal({}, {}, "darwin").unicode).toBe(true);
  });
});

describe("text from outside", () => {
  it("is written out where a terminal would obey it", () => {
    expect(escapeLine("a\u001b[2Jb\u009bc\u0007")).toBe("a\\x1b[2Jb\\x9bc\\x07");
    expect(escapeLine("abc\u202edef\u2066")).toBe("abc\\u{202e}def\\u{2066}");
    expect(escapeLine("lone \ud800 half")).toBe("lone \\u{d800} half");
    expect(escapeLine("one\r\n  two\tthree")).toBe("one two three");
    expect(escapeLines("one\r\ntwo\u001b")).toEqual(["one", "two\\x1b"]);
  });

  it("keeps letters, accents and joined emoji as they are", () => {
    expect(escapeLine("Größe ログ 👩‍💻 é")).toBe("Größe ログ 👩‍💻 é");
  });

  it("stays the same document as JSON", () => {
    const document = { text: "a\u009b\u202e\u{e0041}\u0000" };
    const escaped = escapeJson(JSON.stringify(document, undefined, 2));
    expect(escaped).toMatch(/^[\n -~]*$/);
    expect(JSON.parse(escaped)).toEqual(document);
  });
});

describe("whatever comes", () => {
  const numRuns = Number(process.env.BATON_FUZZ_RUNS);
  const anyText = fc.string({
    unit: fc.oneof(fc.nat(0x2100), fc.nat(0x10ffff)).map((at) => String.fromCodePoint(at)),
  });

  it("no line holds a control character or a line break", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(escapeLine(text)).not.toMatch(/[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/u);
      }),
      { numRuns },
    );
  });

  it("nothing is wider than its place, and wrapping loses no letter", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 40 }), (text, width) => {
        const line = escapeLine(text);
        const lines = wrap(line, width);
        for (const part of [cut(line, width, "…"), ...lines])
          expect(widthOf(part)).toBeLessThanOrEqual(width);
        expect(lines.join("").replaceAll(" ", "")).toBe(line.replaceAll(" ", ""));
      }),
      { numRuns },
    );
  });
});

describe("widths", () => {
  it("count columns, not characters", () => {
    expect(widthOf("ログ")).toBe(4);
    expect(widthOf("👩‍💻")).toBe(2);
    expect(widthOf("e\u0301")).toBe(1);
    expect(widthOf("\u001b[1mab\u001b[22m")).toBe(2);
  });

  it("measures frames, marks and letters as the library does", () => {
    const characters = Array.from({ length: 0x2720 - 0x20 }, (_, at) => String.fromCharCode(0x20 + at));
    for (const one of characters)
      expect([one, widthOf(`a${one}`)], `U+${one.charCodeAt(0).toString(16)}`).toEqual([
        one,
        stringWidth(`a${one}`),
      ]);
    expect(widthOf("\u001b[31m└─ ✓ Ünïcode … →\u001b[39m")).toBe(16);
  });

  it("are kept when something is cut or wrapped", () => {
    expect(cut("ログイン", 5, "…")).toBe("ログ…");
    expect(cut("short", 5, "…")).toBe("short");
    expect(wrap("one two three", 7)).toEqual(["one two", "three"]);
    const explained = '  - pack "greeter": no instance has a lease';
    expect(wrapIndented(explained, 60)).toEqual([explained]);
    expect(wrapIndented(explained, 30)).toEqual(['  - pack "greeter": no', "    instance has a lease"]);
    expect(wrap("abcdefgh", 3)).toEqual(["abc", "def", "gh"]);
  });
});

describe("tables", () => {
  const columns = [{ heading: "ID" }, { heading: "SPARE", spare: true }, { heading: "NAME", flexible: true }];
  const rows = [
    [piece("a"), piece("x".repeat(31)), piece("ログイン")],
    [piece("bb"), piece("y"), piece("n".repeat(60))],
  ];

  it("align wide characters, cut what is flexible, and leave out what is spare before it is cut to bits", () => {
    expect(renderTable(wide, columns, rows)).toEqual([
      `ID  SPARE${" ".repeat(28)}NAME`,
      `a   ${"x".repeat(31)}  ログイン`,
      `bb  y${" ".repeat(32)}${"n".repeat(42)}…`,
    ]);
    const narrower = renderTable({ ...wide, columns: 60 }, columns, rows);
    expect(narrower).toEqual([
      ...["ID  NAME", "a   ログイン", `bb  ${"n".repeat(55)}…`],
      ...["(no room for spare: a wider terminal or --output json shows", "more)"],
    ]);
  });

  it("become cards on a narrow terminal, with everything in them", () => {
    const lines = renderTable({ ...wide, columns: 40 }, columns, rows);
    expect(lines.slice(0, 3)).toEqual(["a", `  spare  ${"x".repeat(31)}`, "  name   ログイン"]);
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(40);
  });

  it("leave out a column that is empty in every row", () => {
    expect(renderTable(wide, [{ heading: "A" }, { heading: "B" }], [[piece("1"), piece("")]])).toEqual([
      "A",
      "1",
    ]);
  });
});

describe("times", () => {
  it("have two parts at the most", () => {
    expect([340, 3200, 12_000, 187_000, 3_725_000, 200_000_000].map(describeMs)).toEqual([
      "340ms",
      "3.2s",
      "12s",
      "3m 07s",
      "1h 02m",
      "2d 7h",
    ]);
    expect([0, 999, 5400, -4].map(describeElapsed)).toEqual(["0s", "0s", "5s", "0s"]);
  });
});
