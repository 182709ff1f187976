import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Coverage } from "./coverage.ts";
import type { Undecided } from "./scan/scanner.ts";
import { lookahead } from "./scan/window.ts";
import { personalExamples, scrambled, secretExamples } from "./testing/examples.ts";
import { redactorOf } from "./testing/redactor.ts";

const runs = { numRuns: Number(process.env.BATON_FUZZ_RUNS) };

const known = [
  "correct horse battery",
  'p4ss/w+rd=&"quoted"\n',
  `multi\n  ${scrambled(40)}\n${scrambled(30)}`,
  "aaaaaaaaab",
];
const redactor = redactorOf({ knownSecrets: known });

/** Pieces of everything the detectors look for, so that borders, overlaps and near misses come up. */
const shards = [...secretExamples, ...personalExamples].flatMap(({ text, secret, lookalike }) => [
  text,
  secret,
  secret.slice(0, -3),
  secret.slice(4),
  lookalike,
]);
const glue = [
  ...[
    " ",
    "\n",
    "\t",
    "=",
    ": ",
    '"',
    "'",
    "\\",
    "@",
    "-",
    ".",
    ",",
    ")",
    "/",
    "://",
    ":",
    ";",
    "&",
    "é",
    "😀",
    "\r\n",
  ],
  ...[
    "password",
    "token=",
    "secret: ",
    "-----BEGIN ",
    "PRIVATE KEY",
    "-----",
    "bearer ",
    "eyJ",
    "a",
    "1",
    "aaaa",
  ],
];
const anyText = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...glue) },
      { weight: 2, arbitrary: fc.constantFrom(...shards) },
      { weight: 1, arbitrary: fc.constantFrom(...known, ...known.map((value) => value.slice(0, -2))) },
      { weight: 1, arbitrary: fc.constantFrom(...known.map(toBase64), ...known.map(encodeURIComponent)) },
      { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 8 }) },
    ),
    { maxLength: 14 },
  )
  .map((parts) => parts.join(""));
const anyCoverage = fc.constantFrom<Coverage>("secrets", "secrets-and-personal");

function toBase64(text: string): string {
  return Buffer.from(`user:${text}`).toString("base64");
}

function stream(chunks: readonly string[], coverage: Coverage): string {
  const redaction = redactor.createStream(coverage);
  return chunks.map((chunk) => redaction.push(chunk).text).join("") + redaction.end().text;
}

/** As if chunks came to another hub each, or from some places on, which has only what the one before it left undecided. */
function streamInLives(
  chunks: readonly string[],
  coverage: Coverage,
  restarts = new Set(chunks.keys()),
): string {
  let redaction = redactor.createStream(coverage);
  let given = "";
  for (const [position, chunk] of chunks.entries()) {
    given += redaction.push(chunk).text;
    if (restarts.has(position)) redaction = redactor.createStream(coverage, stored(redaction.undecided));
  }
  return given + redaction.end().text;
}

function stored(undecided: Undecided | undefined): Undecided | undefined {
  return undecided && (JSON.parse(JSON.stringify(undecided)) as Undecided);
}

function split(text: string, positions: readonly number[]): string[] {
  const borders = [
    0,
    ...positions.map((position) => position % (text.length + 1)).sort((a, b) => a - b),
    text.length,
  ];
  return borders.slice(1).map((border, index) => text.slice(borders[index], border));
}

describe("a stream", () => {
  it("[TUR-06] gives out the same as the whole text for every way to split it", () => {
    const anySplit = fc.array(fc.nat(), { maxLength: 8 });
    const property = fc.property(anyText, anySplit, anyCoverage, (text, positions, coverage) => {
      expect(stream(split(text, positions), coverage)).toBe(redactor.redactText(text, coverage).text);
    });
    fc.assert(property, runs);
  });

  it("[TUR-06] gives out the same when every character comes alone", () => {
    const property = fc.property(anyText, anyCoverage, (text, coverage) => {
      expect(stream(text.split(""), coverage)).toBe(redactor.redactText(text, coverage).text);
    });
    fc.assert(property, runs);
  });

  it("[TUR-06] goes on from what another one had not decided as that one would have", () => {
    const anySplit = fc.array(fc.nat(), { maxLength: 8 });
    const property = fc.property(anyText, anySplit, anyCoverage, (text, positions, coverage) => {
      expect(streamInLives(split(text, positions), coverage)).toBe(redactor.redactText(text, coverage).text);
    });
    fc.assert(property, runs);
  });

  it("[TUR-06] goes on so after every character, of secrets of any length too", () => {
    const key = secretExamples.find(({ kind }) => kind === "private-key")?.secret ?? "";
    const long = [
      key.replace("\n", `\n${`${scrambled(64)}\n`.repeat(60)}`),
      `password="${`${scrambled(20)}\\"\\\\`.repeat(150)}"`,
      `token=${scrambled(60).repeat(60)}`,
    ];
    for (const secret of long) {
      const text = `I take ${secret} and go on with ${scrambled(4)}\n`;
      expect(streamInLives(text.split(""), "secrets")).toBe(redactor.redactText(text, "secrets").text);
    }
    const property = fc.property(anyText, anyCoverage, (text, coverage) => {
      expect(streamInLives(text.split(""), coverage)).toBe(redactor.redactText(text, coverage).text);
    });
    fc.assert(property, runs);
  });

  it("[TUR-06] goes on so after some of the characters, however long it went on before", () => {
    const anyRestarts = fc.array(fc.nat(), { minLength: 1, maxLength: 3 });
    const anyPadding = fc.integer({ min: 0, max: 20 }).map((times) => "so it goes ".repeat(times));
    const property = fc.property(
      anyPadding,
      anyText,
      anyPadding,
      anyRestarts,
      anyCoverage,
      (before, middle, after, positions, coverage) => {
        const text = `${before}${middle} ${after}`;
        const restarts = new Set(positions.map((position) => position % text.length));
        expect(streamInLives(text.split(""), coverage, restarts)).toBe(
          redactor.redactText(text, coverage).text,
        );
      },
    );
    fc.assert(property, runs);
  });

  it.each([
    `bearer ${"q7".repeat(60)} and on`,
    "<password>hunter2isnotenough</password>",
    `run --token ${"q7".repeat(30)} now`,
    "Cookie: sid=s3ss10nOfAda; theme=dark",
    `curl --silent --show-error --fail --location -u ada:${"q7".repeat(40)} x`,
  ])("[TUR-06] goes on so wherever it is taken up: %s", (output) => {
    const text = `${"so it goes ".repeat(14)}${output}\n`;
    const whole = redactor.redactText(text, "secrets").text;
    for (const position of text.split("").keys())
      expect(streamInLives(text.split(""), "secrets", new Set([position]))).toBe(whole);
  });

  it.each(["now", "it is no"])(
    "[TUR-06] takes nothing for the beginning of a token that stood within a word: %s…",
    (word) => {
      const token = secretExamples.find(({ kind }) => kind === "dynatrace-token")?.secret ?? "";
      const text = `${word}${token.repeat(3)}`;
      expect(redactor.redactText(text, "secrets").redactions).toEqual([]);
      expect(streamInLives(text.split(""), "secrets")).toBe(text);
    },
  );

  it("[TUR-06] leaves no more undecided than that takes", () => {
    const redaction = redactor.createStream();
    for (const line of Array.from({ length: 300 }, () => `${scrambled(64)}\n`)) {
      if (redaction.undecided === undefined) redaction.push("-----BEGIN RSA PRIVATE KEY-----\n");
      redaction.push(line);
      expect(redaction.undecided?.text.length ?? 0).toBeLessThan(2 * lookahead + 512);
    }
  });

  it.each([...secretExamples, ...personalExamples])(
    "[TUR-06] masks $kind at every border",
    ({ text, secret }) => {
      const whole = redactor.redactText(text).text;
      expect(whole).not.toContain(secret);
      for (let border = 0; border <= text.length; border++) {
        expect(stream([text.slice(0, border), text.slice(border)], "secrets-and-personal")).toBe(whole);
      }
    },
  );

  it("[TUR-06] never gives out a known value, wherever it is split", () => {
    const property = fc.property(
      anyText,
      fc.constantFrom(...known),
      anyText,
      fc.array(fc.nat()),
      (a, value, b, positions) => {
        const given = stream(split(a + value + b, positions), "secrets");
        for (const secret of known) expect(given).not.toContain(secret);
      },
    );
    fc.assert(property, runs);
  });

  it("[TUR-06] holds back no more than it says, a key of many lines included", () => {
    const longest = Math.max(lookahead, ...known.map((value) => value.length * 6)) + 128;
    const key = secretExamples.find(({ kind }) => kind === "private-key")?.secret ?? "";
    const longKey = key.replace("\n", `\n${`${scrambled(64)}\n`.repeat(150)}`);
    const redaction = redactor.createStream();
    for (const character of `${"x".repeat(5000)} ${longKey} eyJ${"x".repeat(5000)} password=${"y".repeat(5000)}`) {
      redaction.push(character);
      expect(redaction.heldBack).toBeLessThanOrEqual(longest);
    }
  });

  it("[TUR-06] gives out ordinary text at once, up to the word that is still being written", () => {
    const redaction = redactor.createStream();
    expect(redaction.push("building 12 of 40\nall is well\n")).toEqual({
      text: "building 12 of 40\nall is well\n",
      masked: false,
    });
    expect(redaction.push("the next wo")).toEqual({ text: "the next ", masked: false });
    expect(redaction.push("rd, token=abc1234567 ")).toEqual({
      text: "word, token=[redacted:assigned-secret] ",
      masked: true,
    });
    expect(redaction.end()).toEqual({ text: "", masked: false });
  });

  it("cannot be used after its end", () => {
    const redaction = redactor.createStream();
    redaction.end();
    expect(() => redaction.push("x")).toThrow(expect.objectContaining({ code: "BATON-REDACTION-104" }));
  });
});
