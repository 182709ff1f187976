import { base64, base64Url, charClass, identifier } from "../../scan/char-class.ts";
import type { Detector } from "../../scan/detector.ts";
import { readWord, skip } from "../../scan/read-line.ts";
import { restOfLine, restOfWord, runOf } from "../../scan/tail.ts";
import { isPasswordLike } from "../password-like.ts";
import { isPlaceholder } from "../placeholder.ts";

const blanks = " \t";
const maxSchemeLength = 20;
const schemes = new Set(
  "basic bearer digest token apikey api-key negotiate ntlm hawk aws4-hmac-sha256 hmac signature ghs key".split(
    " ",
  ),
);

/** `Authorization: <scheme> <credentials>`, as a header, as a field of JSON, as an argument of a command. */
export const detectAuthorization: Detector = {
  kind: "authorization-header",
  anchors: ["authorization"],
  examine: (window, _, end) => {
    const separator = skip(window, end, "\"'\\ ", 4);
    if (!window.isOneOf(separator, ":=")) return undefined;
    const scheme = skip(window, separator + 1, " \t\"'\\", 8);
    const schemeEnd = window.endOfRun(base64Url, scheme, scheme + maxSchemeLength);
    if (!schemes.has(window.slice(scheme, schemeEnd).toLowerCase())) return undefined;
    const start = skip(window, schemeEnd, blanks, 4);
    if (start === schemeEnd || !window.is(start, charClass.visible)) return undefined;
    if (isPlaceholder(window.slice(start, window.endOfRun(charClass.visible, start, start + 64))))
      return undefined;
    return { start, end: start + 1, tail: restOfLine };
  },
};

const bearer = base64 | base64Url | charClass.dot | charClass.tilde;
const restOfBearer = runOf(bearer);
const minBearerLength = 12;

/** `Bearer <token>` anywhere. A word of letters after it is prose: "bearer authentication". */
export const detectBearer: Detector = {
  kind: "bearer-token",
  anchors: ["bearer "],
  examine: (window, _, end) => {
    const until = window.endOfRun(bearer, end, end + 40);
    const token = window.slice(end, until);
    if (token.length < minBearerLength || !/[\d_]/.test(token)) return undefined;
    return { start: end, end: until, tail: restOfBearer };
  },
};

const restOfBase64 = runOf(base64);

/** `Basic <base64 of user:password>`: the decoded text must contain a colon. */
export const detectBasic: Detector = {
  kind: "basic-credentials",
  anchors: ["basic "],
  examine: (window, _, end) => {
    const until = window.endOfRun(base64, end, end + 64);
    if (until - end < 8 || !containsColon(window.slice(end, until))) return undefined;
    return { start: end, end: until, tail: restOfBase64 };
  },
};

/** `"auth": "…"` of Docker, `_auth=…` of npm: the same credentials, recognized by the name. */
export const detectAuthBlob: Detector = {
  kind: "auth-blob",
  anchors: ["auth", "_password"],
  examine: (window, _, end) => {
    const nameEnd = window.endOfRun(identifier | charClass.dot | charClass.dash, end, end + 16);
    const separator = skip(window, skip(window, nameEnd, "\"'\\", 2), blanks, 4);
    if (!window.isOneOf(separator, ":=")) return undefined;
    const start = skip(window, skip(window, separator + 1, blanks, 4), "\"'\\", 2);
    const [, user = "", password = ""] =
      /^([\w@.-]{1,32}:)(.+)$/.exec(readWord(window, start, 64)?.text ?? "") ?? [];
    if (isPasswordLike(password))
      return { start: start + user.length, end: start + user.length + 1, tail: restOfWord };
    const until = window.endOfRun(base64, start, start + 64);
    if (until - start < 8 || !containsColon(window.slice(start, until))) return undefined;
    return { start, end: until, tail: restOfBase64 };
  },
};

/** `Cookie: name=value; …` and `Set-Cookie:`. */
export const detectCookie: Detector = {
  kind: "cookie",
  anchors: ["cookie:", 'cookie":', "cookie':", 'cookie",', "cookie',"],
  examine: (window, _, end) => {
    const start = skip(window, end, " \t\"'", 4);
    const nameEnd = window.endOfRun(base64Url | charClass.dot | charClass.symbolOfMailbox, start, start + 64);
    if (nameEnd === start || window.code(nameEnd) !== 0x3d) return undefined;
    if (!window.is(nameEnd + 1, charClass.visible) || window.holds("[redacted:", nameEnd + 1))
      return undefined;
    return { start: nameEnd + 1, end: nameEnd + 2, tail: restOfLine };
  },
};

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Whether it decodes to printable text with a colon. */
function containsColon(encoded: string): boolean {
  let [bits, held, colons] = [0, 0, 0];
  for (const character of encoded.replaceAll("=", "")) {
    bits = ((bits << 6) | alphabet.indexOf(character)) & 0xffff;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    const byte = (bits >> held) & 0xff;
    if (byte < 0x20) return false;
    if (byte === 0x3a) colons++;
  }
  return colons > 0;
}
