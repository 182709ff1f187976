import type { Detector, Finding } from "../../scan/detector.ts";
import { readWord, skip, skipLetters } from "../../scan/read-line.ts";
import { restOfWord } from "../../scan/tail.ts";
import type { Window } from "../../scan/window.ts";
import { isPasswordLike, isRandom } from "../password-like.ts";

const maxWordLength = 64;
/** Words between the name and the password: "for ada is", "was changed to". */
const maxWords = 6;
const blanks = " \t";
const quotes = "\"'`“„«";

const verbs = new Set(
  "is was are be been has will now changed set reset to as lautet ist est es -> => → =".split(" "),
);
const prepositions = new Set("for of für von pour de para".split(" "));

/** "the password is hunter22", "log in as ada with password hunter22": passwords in prose. */
export const detectPhrasePassword: Detector = {
  kind: "phrase-password",
  anchors: ["password", "passphrase", "passwort", "kennwort", "mot de passe", "contrase", "passwd"],
  examine: (window, _, end) => {
    const nameEnd = skipLetters(window, end, "na") ?? (window.code(end) === 0xf1 ? end + 2 : end);
    return readPhrase(window, nameEnd, (word) => isPasswordLike(word) || isPassphrase(word));
  },
};

/** "the api key is 3f2a…": must be random, because parsers have tokens too. */
export const detectPhraseToken: Detector = {
  kind: "phrase-secret",
  anchors: ["token", "api key", "secret key", "access key"],
  examine: (window, _, end) => readPhrase(window, end, (word) => word.length >= 20 && isRandom(word)),
};

function readPhrase(window: Window, from: number, isSecret: (word: string) => boolean): Finding | undefined {
  let at = skip(window, from, ":", 1);
  if (!window.isOneOf(at, blanks)) return undefined;
  for (let count = 0; count < maxWords; count++) {
    const start = skip(window, at, blanks, 4);
    const isQuoted = window.isOneOf(start, quotes);
    const word = readWord(window, isQuoted ? start + 1 : start, maxWordLength);
    if (word === undefined) return undefined;
    const bare = word.text.replace(/[.:!?)]+$/, "");
    if (isSecret(bare)) return { start: word.start, end: word.start + 1, tail: restOfWord };
    if (isQuoted) return undefined;
    if (prepositions.has(word.text) && count === 0) {
      const name = readWord(window, word.end, maxWordLength);
      if (name === undefined) return undefined;
      at = name.end;
    } else if (verbs.has(bare) || word.text === ":") {
      at = word.end;
    } else {
      return undefined;
    }
  }
  return undefined;
}

/** Words with dashes between: "otter-candle-river-maple". */
function isPassphrase(word: string): boolean {
  return /^(?:[a-z]{3,12}-){3,}[a-z]{3,12}$/.test(word);
}

/** "credentials are ada / hunter22", "creds: ada/hunter22". */
export const detectPhraseCredentials: Detector = {
  kind: "phrase-credentials",
  anchors: ["credentials", "creds"],
  examine: (window, _, end) => {
    let at = skip(window, end, ":", 1);
    if (!window.isOneOf(at, blanks)) return undefined;
    let word = readWord(window, at, maxWordLength);
    if (word?.text === "are" || word?.text === "is") word = readWord(window, word.end, maxWordLength);
    if (word === undefined) return undefined;
    const slash = word.text.indexOf("/");
    if (slash > 0 && slash < word.text.length - 1) at = word.start + slash + 1;
    else {
      const next = slash < 0 ? readWord(window, word.end, maxWordLength) : undefined;
      if (slash < 0 && next?.text !== "/") return undefined;
      at = skip(window, next?.end ?? word.end, blanks, 2);
    }
    const secret = readWord(window, at, maxWordLength);
    if (secret === undefined || !isPasswordLike(secret.text)) return undefined;
    return { start: secret.start, end: secret.start + 1, tail: restOfWord };
  },
};

/** `pass: hunter22`, `pass=…`, `-passin pass:…`: the name is ambiguous, so the value must look like a password. */
export const detectShortName: Detector = {
  kind: "phrase-password",
  anchors: ["pass:", "pass=", "pass :", "pass =", "pw:", "pw="],
  examine: (window, start, end) => {
    if (/\w/.test(window.slice(start - 1, start))) return undefined;
    const from = skip(window, skip(window, end, " ", 1), quotes, 1);
    const word = window.isOneOf(from, blanks) ? undefined : readWord(window, from, maxWordLength);
    if (word === undefined || !isPasswordLike(word.text.replace(/[.:?)]+$/, ""))) return undefined;
    return { start: word.start, end: word.start + 1, tail: restOfWord };
  },
};
