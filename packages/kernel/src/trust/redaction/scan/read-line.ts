/**
 * These functions stop at the end of the line or of the deciding word, because reading beyond the received text makes a
 * stream wait.
 */
import type { Window } from "./window.ts";

const newline = 0x0a;

/** The rest of the line, up to `max` characters. */
export function readLine(window: Window, from: number, max: number): string {
  let at = from;
  while (at < from + max && isOnLine(window.code(at))) at++;
  return window.text.slice(from, at);
}

export interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The next word on the line, after spaces: up to a space, a quote, a comma or a semicolon. */
export function readWord(window: Window, from: number, max: number): Word | undefined {
  let start = from;
  while (start < from + 8 && window.isOneOf(start, " \t")) start++;
  let end = start;
  while (end < start + max && isOfWord(window.code(end))) end++;
  return end === start ? undefined : { text: window.text.slice(start, end), start, end };
}

/** The position after up to `max` of these characters. */
export function skip(window: Window, from: number, characters: string, max: number): number {
  let at = from;
  while (at < from + max && window.isOneOf(at, characters)) at++;
  return at;
}

/** The position after these ASCII letters, in either case; undefined when they are not there. */
export function skipLetters(window: Window, from: number, letters: string): number | undefined {
  for (let index = 0; index < letters.length; index++) {
    if ((window.code(from + index) | 0x20) !== letters.charCodeAt(index)) return undefined;
  }
  return from + letters.length;
}

function isOnLine(code: number): boolean {
  return code >= 0 && code !== newline;
}

const delimiters = " \t\r\n\"'`“”„«»,;";

function isOfWord(code: number): boolean {
  return code >= 0 && !delimiters.includes(String.fromCharCode(code));
}
