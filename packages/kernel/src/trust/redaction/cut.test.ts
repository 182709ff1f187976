import { describe, expect, it } from "vitest";
import { personalExamples, scrambled, secretExamples } from "./testing/examples.ts";
import { redactorOf } from "./testing/redactor.ts";

const known = "correct horse battery staple";
const redactor = redactorOf({ knownSecrets: [known] });
const hidden = "[redacted:unheard-end]";

/** What is given out of a text that comes in one piece and is cut off. */
function cut(text: string): string {
  const stream = redactor.createStream();
  return stream.push(text).text + stream.cut().text;
}

/** The longest beginning of a secret that can be read in a text. */
function readable(text: string, secret: string): string {
  let length = secret.length;
  while (!text.includes(secret.slice(0, length))) length--;
  return secret.slice(0, length);
}

function lettersIn(text: string): number {
  return text.replace(/[^A-Za-z0-9]/g, "").length;
}

describe("a text that is cut off", () => {
  it.each([
    "done.",
    "I fixed the test",
    "all 42 of them are green",
    "it took 250",
    "it was in 2026",
    "on 2026-11-17",
    "it listens on port 54321",
    "it listens on 127.0.0.1",
    "the machine is 192.168.10.12",
    "I look at src/agents/text-streams.ts",
    "I read the token",
    "the tokens are counted",
    "what is missing is the password:",
    "the hash is MD5",
    "compiled to ES2022",
    "task sk",
    "see https://example.com/docs",
    "who wrote it is ada.lovelace",
    "I wait for somebody to join-us",
    "",
  ])("[TUR-06] is emitted to its last word where that is an ordinary one: %s", (text) => {
    expect(cut(text)).toBe(text);
  });

  it.each([
    ["I use ghp_a1B2c", "I use "],
    ["I use (ghp_a1B2c", "I use "],
    ["the key is AKIAQ3EGVZ7JXN5RT2W", "the key is "],
    ["pay with 4111 1111 11", "pay with "],
    ["call 415-555", "call "],
    ["she is 123-45", "she is "],
    ["write to ada.lovelace@analytical", "write to "],
    ["it says eyJhbGciOi", "it says "],
    ["it is at postgres://ada:hunter", "it is at "],
    ["as correct horse", "as "],
  ])("[TUR-06] is masked from the word on that may begin a secret: %s", (text, emitted) => {
    expect(cut(text)).toBe(emitted + hidden);
  });

  it("[TUR-06] is masked by its kind where it is a secret already", () => {
    expect(cut(`I use gh${"p_"}${scrambled(36)}`)).toBe("I use [redacted:github-token]");
    expect(cut("set password=hunter2hunter2")).toBe("set password=[redacted:assigned-password]");
    expect(cut("write to ada@example.com")).toBe("write to [redacted:email]");
  });

  /** Their marks stand in their middle, and what stands before is any number, digest or name until the mark comes. */
  const unmarked = ["telegram-token", "azure-client-secret", "terraform-token", "mailchimp-key", "email"];

  it.each([...secretExamples, ...personalExamples].filter(({ kind }) => !unmarked.includes(kind)))(
    "[TUR-06] emits no more than half of $kind, wherever it is cut",
    ({ text, secret }) => {
      const from = text.indexOf(secret);
      for (let end = from + 1; end <= from + secret.length; end++) {
        const emitted = readable(cut(text.slice(0, end)), secret);
        expect(lettersIn(emitted)).toBeLessThanOrEqual(lettersIn(secret) / 2);
      }
    },
  );

  it.each(secretExamples.filter(({ kind }) => unmarked.includes(kind)))(
    "[TUR-06] emits nothing of $kind once its mark has come",
    ({ text, secret }) => {
      const mark = /:AA|8Q~|\.atlasv1\.|-us/.exec(text);
      const from = (mark?.index ?? 0) + (mark?.[0].length ?? 0);
      for (let end = from; end <= text.indexOf(secret) + secret.length; end++) {
        expect(readable(cut(text.slice(0, end)), secret)).toBe("");
      }
    },
  );

  it("[TUR-06] stays masked when it continues after a cut", () => {
    const secret = `gh${"p_"}${scrambled(36)}`;
    for (let border = 1; border < secret.length; border++) {
      const first = redactor.createStream();
      first.push(`I use ${secret.slice(0, border)}`);
      const { text = "" } = first.undecided ?? {};
      const second = redactor.createStream(undefined, { text, given: text.length });
      const emitted = second.push(`${secret.slice(border)} for it`).text + second.end().text;
      expect(emitted).toBe("[redacted:github-token] for it");
    }
  });

  it("[TUR-06] is lines of which none may begin a secret of many", () => {
    const masker = redactorOf({ knownSecrets: ["first of it\nsecond of it"] }).createLineMasker();
    expect(masker.push("before\nfirst of it\n")).toEqual([{ line: "before", masked: false }]);
    expect(masker.cut()).toEqual([{ line: hidden, masked: true }]);
  });
});
