import type { Detector, Finding } from "../../scan/detector.ts";
import { readWord, skip } from "../../scan/read-line.ts";
import { restOfWord } from "../../scan/tail.ts";
import type { Window } from "../../scan/window.ts";
import { isPlaceholder } from "../placeholder.ts";

const maxWordLength = 48;

/** Settings of the form word and value: `requirepass hunter22`. */
const directives = [
  ...[
    "requirepass ",
    "masterauth ",
    "auth-pass ",
    "enable secret ",
    "enable password ",
    "bindpw ",
    "rootpw ",
  ],
  ...["snmp-server community ", "wpa-psk "],
];

export const detectDirective: Detector = {
  kind: "directive-secret",
  anchors: directives,
  examine: (window, start, end) => {
    if (!isWordStart(window, start)) return undefined;
    // `sentinel auth-pass mymaster hunter22` names the master first.
    const name = window.holds("auth-pass ", start) ? readWord(window, end, maxWordLength) : undefined;
    return found(window, name?.end ?? end);
  },
};

const login = /\b(?:login|machine|username|user)\s+\S+\s+$/;

/** `machine example.org login ada password hunter22`, on one line or on three. */
export const detectMachineLogin: Detector = {
  kind: "machine-login",
  anchors: ["password ", "secret "],
  examine: (window, start, end) => {
    const before = window.slice(start - 96, start);
    if (!login.test(before) && !/\bmachine\s+\S+\s+(?:login\s+\S+\s+)?$/.test(before)) return undefined;
    return found(window, end);
  },
};

/** `host:5432:database:user:password`, a line of a password file. */
export const detectPasswordFile: Detector = {
  kind: "password-file",
  anchors: [":5432:", ":*:", ":3306:", ":6432:"],
  examine: (window, _, end) => {
    const fields = readWord(window, end, 72)?.text ?? "";
    const [before] = /^[\w*.-]{1,40}:[\w*.-]{1,40}:(?=.)/.exec(fields) ?? [];
    return before === undefined ? undefined : found(window, end + before.length);
  },
};

function found(window: Window, at: number): Finding | undefined {
  const word = readWord(window, skip(window, skip(window, at, " ", 4), "\"'", 1), maxWordLength);
  const { text = "", start = 0 } = word ?? {};
  if (text.length < 4 || text.startsWith("$") || isPlaceholder(text)) return undefined;
  if (/^[a-z]+$/i.test(text) && text.length < 16) return undefined;
  return { start, end: start + 1, tail: restOfWord };
}

function isWordStart(window: Window, at: number): boolean {
  return !/\w/.test(window.slice(at - 1, at));
}
