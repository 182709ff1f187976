import { charactersIn } from "../../scan/char-class.ts";
import type { Detector } from "../../scan/detector.ts";
import { runOf } from "../../scan/tail.ts";
import { isAtWordStart } from "../word-start.ts";

/** A token that its issuer marks with a distinctive prefix. */
export interface PrefixedToken {
  readonly kind: string;
  readonly prefixes: readonly string[];
  /** The characters after the prefix, and their minimum number. */
  readonly characters: number;
  readonly least: number;
  /** Exactly `least` characters: for prefixes so short that a longer run is something else. */
  readonly exact?: boolean;
}

export function detectPrefixedToken(token: PrefixedToken): readonly Detector[] {
  const { kind, characters, least, exact } = token;
  const tail = runOf(characters);
  return token.prefixes.map((prefix) => ({
    kind,
    anchors: anchorsOf(prefix, characters),
    examine: (window, start) => {
      const end = start + prefix.length;
      if (!window.holds(prefix, start) || !isAtWordStart(window, start)) return undefined;
      const until = end + least;
      if (window.endOfRun(characters, end, until) < until) return undefined;
      if (exact && window.is(until, characters)) return undefined;
      return { start, end: until, tail };
    },
  }));
}

/** Shorter prefixes occur in many words, as "SK" in "task": their anchors include the next character. */
const minAnchorLength = 3;

function anchorsOf(prefix: string, characters: number): readonly string[] {
  if (prefix.length >= minAnchorLength) return [prefix];
  const anchors = charactersIn(characters).map((character) => (prefix + character).toLowerCase());
  return [...new Set(anchors)]; // The automaton ignores case.
}
