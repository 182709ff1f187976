/**
 * Invisible characters that may be inside a secret: terminal colours, a carriage return within a line, zero-width
 * characters. Detectors read the text without them.
 */

const [esc, bell] = ["\u001b", "\u0007"];
/** Escape sequences that are recognised by their form. */
const escapeSequence = new RegExp(
  `${esc}(?:\\[[0-?]{0,32}[ -/]{0,4}[@-~]|\\][^${bell}${esc}\\n]{0,256}(?:${bell}|${esc}\\\\)|[@-Z\\\\^_])`,
  "y",
);
/** The beginning of one that may continue in the next chunk. */
const unfinishedEscape = new RegExp(
  `${esc}(?:\\[[0-?]{0,32}[ -/]{0,4}|\\][^${bell}${esc}\\n]{0,256}${esc}?)?$`,
);

const escapeCode = 0x1b;
const returnCode = 0x0d;

export function isInvisible(code: number): boolean {
  if (code < 0xad) return code === escapeCode;
  return (
    code === 0xad ||
    code === 0x180e ||
    (code >= 0x200b && code <= 0x200f) ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2060 && code <= 0x2069) ||
    (code >= 0xfe00 && code <= 0xfe0f) ||
    code === 0xfeff
  );
}

/** Whether a text has invisible characters. Most texts have none. */
export function hasInvisible(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isInvisible(code) || (code === returnCode && text.charCodeAt(at + 1) !== 0x0a)) return true;
  }
  return false;
}

/** A removed part of a text, and the position of the next remaining character. */
export interface Gap {
  readonly at: number;
  readonly text: string;
}

interface Stripped {
  readonly text: string;
  readonly gaps: readonly Gap[];
  /** The end of the chunk if it may begin a gap. */
  readonly open: string;
}

/** Removes invisible characters. `from` is the position of the first remaining character. */
export function stripInvisible(text: string, from: number, complete: boolean): Stripped {
  const open = complete ? "" : (unfinished(text) ?? "");
  const end = text.length - open.length;
  const gaps: Gap[] = [];
  let bare = "";
  let plain = 0;
  for (let at = 0; at < end; ) {
    const length = lengthOfGap(text, at);
    if (length === 0) {
      at++;
      continue;
    }
    bare += text.slice(plain, at);
    gaps.push({ at: from + bare.length, text: text.slice(at, at + length) });
    at += length;
    plain = at;
  }
  return { text: bare + text.slice(plain, end), gaps, open };
}

function lengthOfGap(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === returnCode) return text.charCodeAt(at + 1) === 0x0a ? 0 : 1;
  if (!isInvisible(code)) return 0;
  if (code !== escapeCode) return 1;
  escapeSequence.lastIndex = at;
  return escapeSequence.exec(text)?.[0].length ?? 1;
}

function unfinished(text: string): string | undefined {
  if (text.endsWith("\r")) return "\r";
  const last = text.lastIndexOf("\u001b", text.length - 1);
  if (last < 0) return undefined;
  // The end of an escape may look like a beginning: `ESC \` ends what `ESC ]` begins.
  const start = text.startsWith("\u001b]", text.lastIndexOf("\u001b", last - 1))
    ? text.lastIndexOf("\u001b", last - 1)
    : last;
  return unfinishedEscape.exec(text.slice(Math.max(0, start)))?.[0];
}
