import { charClass } from "../../scan/char-class.ts";
import type { Detector } from "../../scan/detector.ts";
import { readLine } from "../../scan/read-line.ts";
import { restOfValue } from "../../scan/tail.ts";
import { lookbehind } from "../../scan/window.ts";
import { isPlaceholder } from "../placeholder.ts";

/** Characters read per character of the program's name: bounds the work by the length of the text. */
const seenForEach = 24;
const maxSeen = 120;

/** How a program takes a password on its command line. */
interface Program {
  /** Options whose value, the next word or the part after `=`, is the password. */
  readonly options?: readonly string[];
  /** Options with the password attached: `-phunter22`. */
  readonly attached?: readonly string[];
  /** The part of a value before the password: `user:`, `user%`, `name=`. */
  readonly after?: RegExp;
}

const programs: Readonly<Record<string, Program>> = {
  "sshpass ": { options: ["-p"], attached: ["-p"] },
  "redis-cli ": { options: ["-a", "--pass"] },
  "docker login": { options: ["-p"] },
  "podman login": { options: ["-p"] },
  "openssl ": { options: ["-k"] },
  ldap: { options: ["-w"] },
  "mysql ": { attached: ["-p"] },
  "mysqladmin ": { attached: ["-p"] },
  "mysqldump ": { attached: ["-p"] },
  "mariadb ": { attached: ["-p"] },
  "mongo ": { options: ["-p"] },
  "mongosh ": { options: ["-p"] },
  "mongodump ": { options: ["-p"] },
  "zip ": { options: ["-P"] },
  "7z ": { attached: ["-p"] },
  "sqlcmd ": { options: ["-P"], attached: ["-P"] },
  "bcp ": { options: ["-P"], attached: ["-P"] },
  "smbclient ": { options: ["-U"], after: /^[^%]{1,64}%/ },
};

/** A password among the arguments of a program that accepts one there. */
export const detectCommandSecrets: readonly Detector[] = [
  ...Object.entries(programs).map(([name, program]) => detectProgram(name, program)),
  detectPattern(
    "command-credentials",
    "curl ",
    /(?:^|\s)(?:(?:-b|--cookie)[ =]["']?[\w.%-]{1,64}=(?=[^\s"';]{8,})|(?:-U|--proxy-user)[ =]["']?[^\s:"']{1,64}:)/,
  ),
  detectPattern("command-credentials", "-cookie ", /^["']?[\w.%-]{1,64}=(?=[^\s"';]{8,})/),
  detectPattern(
    "command-password",
    "htpasswd ",
    /^(?:-\w+ +)*-\w*b\w* +(?:\S+ +){1,2}(?=[^\s-]\S{3,}\s*(?:$|[\n;&|]))/,
  ),
  detectPattern("command-password", "net user ", /^\S+ +(?=[^\s/]{6,})/),
  detectPattern("command-password", "ConvertTo-SecureString ", /^(?:-String +)?["'](?=[^"']{4,})/),
  detectPattern(
    "command-password",
    "echo ",
    /^(?:-n +)?["']?(?:[\w.-]{1,32}:(?=[^\s"'$|]{4,}["']? *\| *(?:sudo +)?chpasswd)|(?=[^\s"'$|]{6,}["']? *\| *(?:docker|podman|sudo -S|passwd --stdin|\S+ login)))/,
  ),
];

function detectProgram(anchor: string, { options = [], attached = [], after }: Program): Detector {
  return {
    kind: "command-password",
    anchors: [anchor],
    examine: (window, start, end) => {
      if (/[\w-]/.test(window.slice(start - 1, start))) return undefined;
      const line = readLine(window, end, Math.min(maxSeen, seenForEach * anchor.length));
      for (const { text, at, next } of wordsOf(line)) {
        const option = options.find((one) => text === one || text.startsWith(`${one}=`));
        const glued = attached.find((one) => text.startsWith(one) && text.length > one.length);
        const from =
          glued !== undefined ? at + glued.length : text === option ? next : at + (option?.length ?? 0) + 1;
        if (option === undefined && glued === undefined) continue;
        const found = valueAt(line, from, after);
        if (found) return { start: end + found.start, end: end + found.end };
      }
      return undefined;
    },
  };
}

interface Word {
  readonly text: string;
  readonly at: number;
  /** Where the next word begins. */
  readonly next: number;
}

/** The words up to the end of the command. */
function wordsOf(line: string): readonly Word[] {
  const words: Word[] = [];
  const piece = /(\s*)((?:"[^"\n]*"|'[^'\n]*'|[^\s"';|&])+)(\s*)/y;
  for (let match = piece.exec(line); match !== null; match = piece.exec(line)) {
    const [, before = "", text = "", gap = ""] = match;
    words.push({
      text,
      at: match.index + before.length,
      next: match.index + before.length + text.length + gap.length,
    });
  }
  return words;
}

function valueAt(line: string, from: number, after: RegExp | undefined) {
  const opening = /^["']?/.exec(line.slice(from))?.[0].length ?? 0;
  const start = from + opening;
  const prefix = after ? (after.exec(line.slice(start))?.[0].length ?? -1) : 0;
  if (prefix < 0) return undefined;
  const [value = ""] =
    (opening === 0 ? /^[^\s"';|&]+/ : /^[^\s"'][^"'\n]*/).exec(line.slice(start + prefix)) ?? [];
  if (value.length < 4 || value.startsWith("-") || value.startsWith("$") || isPlaceholder(value))
    return undefined;
  return { start: start + prefix, end: start + prefix + value.length };
}

/** Detects the rest of the word after a pattern. */
function detectPattern(kind: string, anchor: string, pattern: RegExp): Detector {
  return {
    kind,
    anchors: [anchor],
    examine: (window, _, end) => {
      const line = readLine(window, end, Math.min(maxSeen, seenForEach * anchor.length));
      const match = pattern.exec(line);
      if (match === null) return undefined;
      const start = match.index + match[0].length;
      const isQuoted = /["'][^"']*$/.test(match[0]);
      const [value = ""] = (isQuoted ? /^[^\s"'][^"']*/ : /^[^\s"';|]+/).exec(line.slice(start)) ?? [];
      if (value === "" || value.startsWith("$") || isPlaceholder(value)) return undefined;
      return { start: end + start, end: end + start + value.length };
    },
  };
}

/** The password in `curl -u user:password`. Other commands mean a user and a group by it. */
export const detectCurlUser: Detector = {
  kind: "curl-credentials",
  anchors: [" -u ", " --user "],
  examine: (window, start, end) => {
    const value = window.isOneOf(end, "\"'") ? end + 1 : end;
    const until = window.endOfRun(charClass.visible, value, value + 64);
    const colon = window.slice(value, until).indexOf(":");
    if (colon < 1 || value + colon + 1 >= until) return undefined;
    const password = value + colon + 1;
    if (isPlaceholder(window.slice(password, until).replace(/["']$/, ""))) return undefined;
    if (!window.slice(start - lookbehind, start).includes("curl")) return undefined;
    return { start: password, end: password + 1, tail: restOfValue };
  },
};
