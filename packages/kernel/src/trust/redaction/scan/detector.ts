import type { Tail } from "./tail.ts";
import type { Window } from "./window.ts";

/**
 * Detects one kind of secret or personal data. The scanner finds the anchors of all detectors in one pass; a detector
 * then examines the text around an anchor, in a window of bounded size.
 */
export interface Detector {
  /** The kind in the marker: lower case letters, digits and dashes. */
  readonly kind: string;
  /** Contained in every occurrence, in either case. Rare anchors are faster. */
  readonly anchors: readonly string[];
  /**
   * A prefilter for whole texts: false only where `examine` would find nothing. Most anchors of some detectors lead to
   * nothing, and then the text is not scanned.
   */
  readonly mayBegin?: (text: string, anchorStart: number, anchorEnd: number) => boolean;
  /**
   * The number of letters and digits after the anchor from which a cut-off beginning is masked; default 4. The anchor
   * itself reveals nothing, unless part of the secret precedes it.
   */
  readonly minCut?: number;
  examine(window: Window, anchorStart: number, anchorEnd: number): Finding | undefined;
}

/**
 * The range to mask. It begins with a visible character, at most `maxBefore` characters before the anchor and without white
 * space in between; a stream holds back that many.
 */
export interface Finding {
  readonly start: number;
  readonly end: number;
  /** How the secret continues after `end`. */
  readonly tail?: Tail;
}

export const maxBefore = 64;
