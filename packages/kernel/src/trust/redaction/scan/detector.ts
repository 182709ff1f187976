import type { Tail } from "./tail.ts";
import type { Window } from "./window.ts";

/**
 * Detects one kind of secret or personal data. The scanner finds the anchors of all detectors in one pass; a detector
 * then examines the text around an anchor, in a window of bounded size.
 */
export interface Detector {
  /** The kind in the marker: lower case letters, digits and dashes. */
  readonly kind: string;
  /** What every occurrence contains, in either case. The rarer it is in ordinary text, the better. */
  readonly anchors: readonly string[];
  /**
   * A prefilter for whole texts. False only where `examine` would find nothing; most anchors of some detectors lead
   * nowhere, and then the text is not scanned.
   */
  readonly mayBegin?: (text: string, anchorStart: number, anchorEnd: number) => boolean;
  /**
   * Letters and digits after the anchor from which the beginning of a secret is masked when the text is cut off there;
   * default 4. The anchor itself reveals nothing, unless part of the secret precedes it.
   */
  readonly minCut?: number;
  examine(window: Window, anchorStart: number, anchorEnd: number): Finding | undefined;
}

/**
 * What to mask. It begins with a visible character, at most `maxBefore` characters before the anchor and with no white
 * space between; a stream holds back so much.
 */
export interface Finding {
  readonly start: number;
  readonly end: number;
  /** How the secret continues after `end`. */
  readonly tail?: Tail;
}

export const maxBefore = 64;
