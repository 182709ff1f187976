import type { Detector } from "./detector.ts";

/**
 * All anchors in one table (Aho-Corasick): one look-up per character, regardless of their number. Letters are folded to
 * lower case and non-ASCII characters are one class, so an anchor may match similar text: detectors check it themselves.
 * Characters outside all anchors share a column, which keeps the table small enough for the processor's cache.
 */
export interface Automaton {
  /** The next state, by state and column. States are multiples of `width`. */
  readonly table: Int32Array;
  readonly width: number;
  /** The column of each ASCII character; column 0 is for everything beyond. */
  readonly columns: Uint8Array;
  /** A text begins as if a line had ended before it. */
  readonly initial: number;
  /** States from here on end an anchor. */
  readonly firstAccepting: number;
  /** By state / `width`: how many characters back the longest possible anchor began. */
  readonly depth: Uint16Array;
  /** By state / `width`: the detectors to run. */
  readonly hits: readonly (readonly Hit[])[];
}

export interface Hit {
  readonly detector: Detector;
  /** Of two findings at one position, the lower rank decides the kind. */
  readonly rank: number;
  readonly length: number;
}

export const asciiCount = 128;

/** A text begins as if a line had ended before it. */
const lineFeed = 0x0a;

interface Node {
  readonly depth: number;
  readonly next: Map<number, Node>;
  readonly own: Hit[];
  all: readonly Hit[];
  fallback: Node | undefined;
  state: number;
}

export function buildAutomaton(detectors: readonly Detector[]): Automaton {
  const { columns, width } = assignColumns(detectors);
  const root = newNode(0);
  for (const [rank, detector] of detectors.entries()) {
    for (const anchor of new Set(detector.anchors)) {
      let node = root;
      for (let at = 0; at < anchor.length; at++) {
        node = childOf(node, columns[anchor.charCodeAt(at)] ?? 0);
      }
      node.own.push({ detector, rank, length: anchor.length });
    }
  }
  return tabulate(linkFallbacks(root), columns, width);
}

/** Both cases of a letter share a column, and all characters share one that stand in no anchor. */
function assignColumns(detectors: readonly Detector[]): { columns: Uint8Array; width: number } {
  const used = new Set([lineFeed]);
  for (const anchor of detectors.flatMap(({ anchors }) => anchors)) {
    for (let at = 0; at < anchor.length; at++) used.add(toLower(anchor.charCodeAt(at)));
  }
  const columns = new Uint8Array(asciiCount);
  let width = 2;
  for (let code = 1; code < asciiCount; code++) {
    if (toLower(code) === code) columns[code] = used.has(code) ? width++ : 1;
  }
  for (let code = 0x41; code <= 0x5a; code++) columns[code] = columns[toLower(code)] as number;
  return { columns, width };
}

function toLower(code: number): number {
  return code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
}

/** Breadth first, so that whatever a node falls back to is complete before it. */
function linkFallbacks(root: Node): Node[] {
  const nodes = [root];
  for (const node of nodes) {
    node.all = [...node.own, ...(node.fallback?.all ?? [])];
    for (const [column, child] of node.next) {
      let from = node.fallback;
      while (from && !from.next.has(column)) from = from.fallback;
      child.fallback = from?.next.get(column) ?? root;
      nodes.push(child);
    }
  }
  return nodes;
}

function tabulate(nodes: readonly Node[], columns: Uint8Array, width: number): Automaton {
  const ordered = [
    ...nodes.filter((node) => node.all.length === 0),
    ...nodes.filter((node) => node.all.length > 0),
  ];
  for (const [index, node] of ordered.entries()) node.state = index * width;
  const table = new Int32Array(ordered.length * width);
  for (const { fallback, state, next } of nodes) {
    if (fallback) table.copyWithin(state, fallback.state, fallback.state + width);
    for (const [column, child] of next) table[state + column] = child.state;
  }
  return {
    table,
    width,
    columns,
    initial: table[columns[lineFeed] as number] as number,
    firstAccepting: ordered.findIndex((node) => node.all.length > 0) * width,
    depth: Uint16Array.from(ordered, (node) => node.depth),
    hits: ordered.map((node) => node.all),
  };
}

function childOf(node: Node, column: number): Node {
  const known = node.next.get(column);
  if (known) return known;
  const child = newNode(node.depth + 1);
  node.next.set(column, child);
  return child;
}

function newNode(depth: number): Node {
  return { depth, next: new Map(), own: [], all: [], fallback: undefined, state: 0 };
}
