import { base64, base64Url, charClass } from "../scan/char-class.ts";
import type { Detector, Finding } from "../scan/detector.ts";
import { runOf } from "../scan/tail.ts";
import type { KnownForm } from "./known-secrets.ts";

export const knownSecretKind = "known-secret";

/** Characters of a known value in the automaton; the rest is compared. Keeps the table small. */
const anchorLength = 6;

const restOfBase64 = runOf(base64 | base64Url);

/** Finds exact known values: longest first, including overlapping ones. */
export function detectKnown(forms: readonly KnownForm[]): readonly Detector[] {
  const byAnchor = Map.groupBy(forms, ({ text }) => text.slice(0, anchorLength));
  return [...byAnchor].map(([anchor, alike]) => {
    const longestFirst = alike.toSorted((a, b) => b.text.length - a.text.length);
    return {
      kind: knownSecretKind,
      anchors: [anchor],
      minCut: 0,
      examine: (window, start) => {
        const form = longestFirst.find(({ text }) => window.holds(text, start) || window.ranOut);
        if (!form || window.ranOut) return undefined;
        return find(form, start, window.is(start - 1, charClass.visible));
      },
    };
  });
}

function find({ text, precededBy, isBase64 }: KnownForm, start: number, isPreceded: boolean): Finding {
  const end = start + text.length;
  if (!isBase64) return { start, end };
  return { start: isPreceded ? start - precededBy : start, end, tail: restOfBase64 };
}
