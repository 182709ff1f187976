import type { Aviary } from "./kinds.ts";
import { hexMark, letterMark } from "./kinds.ts";

/** Kinds that may stand in the data that a graph maps to an agent. */
const personal = /\((?:email|ssn|card-number|iban|phone|phone-in-parentheses)\)$|^a number/;

/** Whether docs/reference/egress.md allows it there. */
export function isAllowed({ channel, planted }: Leak): boolean {
  return channel === "agent inputs" && personal.test(planted);
}

export interface Leak {
  readonly channel: string;
  /** Where it was planted. */
  readonly planted: string;
  /** What stands around it. */
  readonly around: string;
}

/** Searches text for canaries: as they are, and in base64, hexadecimal digits, URLs and JSON, one within the other. */
export class Search {
  readonly #aviary: Aviary;
  readonly #lengths: readonly number[];

  constructor(aviary: Aviary) {
    this.#aviary = aviary;
    this.#lengths = [...new Set([...aviary.numbers].map(({ length }) => length))];
  }

  find(channel: string, bytes: Uint8Array | string): readonly Leak[] {
    const text = typeof bytes === "string" ? bytes : Buffer.from(bytes).toString("latin1");
    const found = new Map<string, Leak>();
    for (const form of formsOf(text, 2)) {
      for (const { planted, around } of this.#marks(form)) found.set(planted, { channel, planted, around });
    }
    return [...found.values()];
  }

  *#marks(text: string): Iterable<Omit<Leak, "channel">> {
    const lower = text.toLowerCase();
    for (let at = lower.indexOf(letterMark); at >= 0; at = lower.indexOf(letterMark, at + 1)) {
      const { planted } = this.#aviary;
      const after = at + letterMark.length;
      // A canary begins with the mark and its id, and may end with the mark.
      const id = lower.slice(after, after + 4);
      const before = lower.slice(at - 4, at);
      yield { planted: planted.get(id) ?? planted.get(before) ?? "the end of one", around: around(text, at) };
    }
    for (let at = lower.indexOf(hexMark); at >= 0; at = lower.indexOf(hexMark, at + 1)) {
      const id = Number.parseInt(lower.slice(at + hexMark.length, at + hexMark.length + 6), 16);
      const planted = this.#aviary.planted.get(id.toString(36).padStart(4, "0"));
      yield { planted: planted ?? "somewhere", around: around(text, at) };
    }
    for (const { 0: run, index } of text.matchAll(/\d(?:[ ().-]{0,2}\d){8,}/g)) {
      const digits = run.replace(/\D/g, "");
      for (const length of this.#lengths) {
        for (let at = 0; at + length <= digits.length; at++) {
          const number = digits.slice(at, at + length);
          if (this.#aviary.numbers.has(number))
            yield { planted: `a number (${number})`, around: around(text, index) };
        }
      }
    }
  }
}

function around(text: string, at: number): string {
  return text.slice(Math.max(0, at - 60), at + 60);
}

function* formsOf(text: string, depth: number): Iterable<string> {
  yield text;
  if (text.includes("%")) yield text.replace(/%([0-9a-f]{2})/gi, (_, code) => character(code));
  if (text.includes("\\u")) yield text.replace(/\\u([0-9a-f]{4})/gi, (_, code) => character(code));
  if (text.includes("\\")) yield text.replaceAll("\\n", "\n").replaceAll("\\", "");
  if (depth === 0) return;
  for (const [run] of text.matchAll(/[A-Za-z0-9+/_-]{16,}/g)) {
    for (let offset = 0; offset < 4; offset++) {
      const decoded = Buffer.from(run.slice(offset), "base64").toString("latin1");
      // What is no text in base64 is noise, and not looked into further.
      yield* looksLikeText(decoded) ? formsOf(decoded, depth - 1) : [decoded];
    }
  }
  for (const [run] of text.matchAll(/(?:[0-9a-f]{2}){9,}/gi)) {
    for (const offset of [0, 1]) {
      const decoded = Buffer.from(run.slice(offset), "hex").toString("latin1");
      yield* looksLikeText(decoded) ? formsOf(decoded, depth - 1) : [decoded];
    }
  }
}

function character(code: string): string {
  return String.fromCharCode(Number.parseInt(code, 16));
}

function looksLikeText(decoded: string): boolean {
  const plain = decoded.replace(/[^\x20-\x7e\n]/g, "").length;
  return plain > decoded.length * 0.8;
}
