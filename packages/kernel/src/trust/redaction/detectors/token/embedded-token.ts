import { alphanumeric, base64Url, charClass } from "../../scan/char-class.ts";
import type { Detector } from "../../scan/detector.ts";
import { runOf } from "../../scan/tail.ts";
import type { Window } from "../../scan/window.ts";

const { digit, hex, tilde, dot } = charClass;

/** Tokens with a mark in the middle, and a known number of characters before and after it. */
interface EmbeddedToken {
  readonly kind: string;
  readonly mark: string;
  readonly before: { readonly characters: number; readonly least: number; readonly most: number };
  readonly after: { readonly characters: number; readonly least: number };
}

const embeddedTokens: readonly EmbeddedToken[] = [
  {
    kind: "telegram-token",
    mark: ":AA",
    before: { characters: digit, least: 8, most: 10 },
    after: { characters: base64Url, least: 32 },
  },
  {
    kind: "azure-client-secret",
    mark: "8Q~",
    before: { characters: alphanumeric | tilde | dot, least: 3, most: 3 },
    after: { characters: base64Url | tilde | dot, least: 31 },
  },
  {
    kind: "terraform-token",
    mark: ".atlasv1.",
    before: { characters: alphanumeric, least: 14, most: 14 },
    after: { characters: base64Url, least: 60 },
  },
  {
    kind: "mailchimp-key",
    mark: "-us",
    before: { characters: hex, least: 32, most: 32 },
    after: { characters: digit, least: 1 },
  },
];

export const detectEmbeddedTokens: readonly Detector[] = embeddedTokens.map(
  ({ kind, mark, before, after }) => {
    const tail = runOf(after.characters);
    return {
      kind,
      anchors: [mark],
      minCut: 0,
      examine: (window: Window, markStart: number, markEnd: number) => {
        if (!window.holds(mark, markStart)) return undefined;
        const start = window.startOfRun(before.characters, markStart, before.most + 1);
        const length = markStart - start;
        if (length < before.least || length > before.most) return undefined;
        const end = markEnd + after.least;
        return window.endOfRun(after.characters, markEnd, end) < end ? undefined : { start, end, tail };
      },
    };
  },
);
