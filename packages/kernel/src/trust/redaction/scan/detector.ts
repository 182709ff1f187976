import type { Tail } from "./tail.ts";
import type { Window } from "./window.ts";

/**
 * One kind of thing that must not get out. The scanner finds its anchors, all in one pass; the detector then looks around
 * an anchor, through a window of bounded size.
 */
export interface Detector {
  /** What the marker says: lower case letters, digits and dashes. */
  readonly kind: string;
  /** What every occurrence contains, in either case. The rarer it is in ordinary text, the better. */
  readonly anchors: readonly string[];
  /**
   * A first look, for whole texts alone. False only where `examine` would find nothing; most anchors of some detectors
   * lead nowhere, and then the text is not scanned at all.
   */
  readonly mayBegin?: (text: string, anchorStart: number, anchorEnd: number) => boolean;
  /**
   * So many letters and digits after the anchor make the beginning of one worth hiding when the text is cut off there; 4
   * unless told. An anchor tells nothing, being the same in each, unless it has some of the secret before it.
   */
  readonly leastCut?: number;
  examine(window: Window, anchorStart: number, anchorEnd: number): Finding | undefined;
}

/**
 * What to mask. It begins with a visible character, at most `maxBefore` characters before the anchor and with no white
 * space between; a stream holds back so much.
 */
export interface Finding {
  readonly start: number;
  readonly end: number;
  /** How it goes on after `end`. */
  readonly tail?: Tail;
}

export const maxBefore = 64;
