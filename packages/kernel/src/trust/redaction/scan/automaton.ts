import type { Detector } from "./detector.ts";

/**
 * All anchors in one table (Aho and Corasick): one look-up a character, whatever the number of anchors. Letters are folded
 * to lower case and everything beyond ASCII is one character, so an anchor may also be found where only something like it
 * stands: detectors check for themselves.
 */
export interface Automaton {
  /** The next state, by state and folded character. States are multiples of `width`. */
  readonly table: Int32Array;
  readonly fold: Uint8Array;
  /** A text begins as if a line had ended before it. */
  readonly initial: number;
  /** States from here on end an anchor. */
  readonly firstAccepting: number;
  /** By state / `width`: how many characters back the longest possible anchor began. */
  readonly depth: Uint16Array;
  /** By state / `width`: whom to ask. */
  readonly hits: readonly (readonly Hit[])[];
}

export interface Hit {
  readonly detector: Detector;
  /** Of two findings at one place, the one of the lower rank gives the kind. */
  readonly rank: number;
  readonly length: number;
}

export const width = 128;

interface Node {
  readonly depth: number;
  readonly next: Map<number, Node>;
  readonly own: Hit[];
  all: readonly Hit[];
  fallback: Node | undefined;
  state: number;
}

export function buildAutomaton(detectors: readonly Detector[]): Automaton {
  const fold = new Uint8Array(width).map((_, code) => (code >= 0x41 && code <= 0x5a ? code + 0x20 : code));
  const foldCode = (code: number) => (code < width ? (fold[code] as number) : 0);
  const root = newNode(0);
  for (const [rank, detector] of detectors.entries()) {
    for (const anchor of new Set(detector.anchors)) {
      let node = root;
      for (let at = 0; at < anchor.length; at++) {
        node = childOf(node, foldCode(anchor.charCodeAt(at)));
      }
      node.own.push({ detector, rank, length: anchor.length });
    }
  }
  return tabulate(linkFallbacks(root), fold);
}

/** Breadth first, so that whatever a node falls back to is complete before it. */
function linkFallbacks(root: Node): Node[] {
  const nodes = [root];
  for (const node of nodes) {
    node.all = [...node.own, ...(node.fallback?.all ?? [])];
    for (const [code, child] of node.next) {
      let from = node.fallback;
      while (from && !from.next.has(code)) from = from.fallback;
      child.fallback = from?.next.get(code) ?? root;
      nodes.push(child);
    }
  }
  return nodes;
}

function tabulate(nodes: readonly Node[], fold: Uint8Array): Automaton {
  const ordered = [
    ...nodes.filter((node) => node.all.length === 0),
    ...nodes.filter((node) => node.all.length > 0),
  ];
  for (const [index, node] of ordered.entries()) node.state = index * width;
  const table = new Int32Array(ordered.length * width);
  for (const { fallback, state, next } of nodes) {
    if (fallback) table.copyWithin(state, fallback.state, fallback.state + width);
    for (const [code, child] of next) table[state + code] = child.state;
  }
  return {
    table,
    fold,
    initial: table[0x0a] as number,
    firstAccepting: ordered.findIndex((node) => node.all.length > 0) * width,
    depth: Uint16Array.from(ordered, (node) => node.depth),
    hits: ordered.map((node) => node.all),
  };
}

function childOf(node: Node, code: number): Node {
  const known = node.next.get(code);
  if (known) return known;
  const child = newNode(node.depth + 1);
  node.next.set(code, child);
  return child;
}

function newNode(depth: number): Node {
  return { depth, next: new Map(), own: [], all: [], fallback: undefined, state: 0 };
}
