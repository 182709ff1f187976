import { charClass, identifier } from "../../scan/char-class.ts";
import type { Detector } from "../../scan/detector.ts";
import { readWord, skip } from "../../scan/read-line.ts";
import { restOfValue } from "../../scan/tail.ts";
import type { Window } from "../../scan/window.ts";
import { isRandom } from "../password-like.ts";

/** Keys that are not secret. */
const harmless =
  /(?:public|primary|sort|partition|foreign|cache|host|idempotency|dedup|lookup|storage|object|routing|group|index)[_-]?$/i;

/** `PAGERDUTY_KEY=…`, `HASH_SALT: …`: the name is ambiguous, so the value must be random. */
export const detectNamedKey: Detector = {
  kind: "assigned-key",
  anchors: ["_key", "-key", "_salt", "_pepper"],
  examine: (window, start, end) => {
    const from = startOfValue(window, end);
    if (from === undefined) return undefined;
    const nameStart = window.startOfRun(identifier | charClass.dash, start, 40);
    if (harmless.test(window.slice(nameStart, start))) return undefined;
    const word = readWord(window, from, 64)?.text.replace(/&.*/s, "") ?? "";
    return isRandom(word) ? { start: from, end: from + 1, tail: restOfValue } : undefined;
  },
};

/** `"Key": "…"` of a settings file. Keys of caches and objects are rarely random in both cases. */
export const detectPlainKey: Detector = {
  kind: "assigned-key",
  anchors: ['"key"'],
  examine: (window, _, end) => {
    const from = startOfValue(window, end);
    const word = from === undefined ? "" : (readWord(window, from, 129)?.text ?? "");
    if (from === undefined || !/^[A-Za-z0-9+/=_-]+$/.test(word)) return undefined;
    const isSecret = word.length >= 32 && /[a-z]/.test(word) && /[A-Z]/.test(word) && isRandom(word);
    return isSecret ? { start: from, end: from + word.length } : undefined;
  },
};

/** The position after a colon or an equals sign, spaces and a quote. */
function startOfValue(window: Window, nameEnd: number): number | undefined {
  const separator = skip(window, skip(window, nameEnd, "\"']", 2), " ", 1);
  if (!window.isOneOf(separator, ":=")) return undefined;
  return skip(window, skip(window, skip(window, separator + 1, ">", 1), " ", 1), "\"'`", 1);
}
