/** A node and those that it leads to, each once. Nodes come in an order in which edges lead down. */
export interface LaneNode {
  readonly id: string;
  readonly targets: readonly string[];
}

/** The left side of the lines of one node: a lane for each edge that has not reached its node yet. */
export interface LaneRows {
  /** Of the line with the node. */
  readonly node: string;
  /** Of the lines below it, which describe its edges. */
  readonly edges: string;
  /** A line in which its edges leave it; undefined when a single one goes straight down. */
  readonly fan: string | undefined;
}

/** Signs of lines; the ASCII form is for locales without UTF-8. */
export interface LaneSigns {
  readonly node: string;
  readonly down: string;
  readonly across: string;
  readonly cross: string;
  readonly joinLeft: string;
  readonly joinRight: string;
  readonly joinBoth: string;
  readonly turnDown: string;
  readonly turnUp: string;
  readonly teeDown: string;
  readonly teeUp: string;
}

export const unicodeLanes: LaneSigns = {
  ...{ node: "●", down: "│", across: "─", cross: "┼", joinLeft: "┤", joinRight: "├", joinBoth: "┼" },
  ...{ turnDown: "╮", turnUp: "╯", teeDown: "┬", teeUp: "┴" },
};
export const asciiLanes: LaneSigns = {
  ...{ node: "*", down: "|", across: "-", cross: "+", joinLeft: "+", joinRight: "+", joinBoth: "+" },
  ...{ turnDown: "\\", turnUp: "/", teeDown: "+", teeUp: "+" },
};

/** Draws the lanes, as `git log --graph` does, from the top down. */
export function drawLanes(nodes: readonly LaneNode[], signs: LaneSigns): readonly LaneRows[] {
  const lanes: (string | undefined)[] = [];
  return nodes.map(({ id, targets }) => {
    const incoming = lanes.flatMap((target, column) => (target === id ? [column] : []));
    const column = incoming[0] ?? freeColumn(lanes);
    const node = drawNode(lanes, column, incoming, signs);
    for (const one of incoming) lanes[one] = undefined;
    const known = targets.filter((target) => lanes.includes(target));
    const added = targets.filter((target) => !lanes.includes(target));
    // The first of its edges goes straight down, and edges with the same target share a lane.
    const [straight, ...others] = added;
    lanes[column] = straight;
    const columns = [
      ...known.map((target) => lanes.indexOf(target)),
      ...others.map((target) => addLane(lanes, target)),
    ];
    const open = new Set(others.map((target) => lanes.indexOf(target)));
    const before = lanes.map((target, at) =>
      open.has(at) || (at === column && !straight) ? undefined : target,
    );
    const edges = drawPlain(before, targets.length > 0 && !straight ? column : undefined, signs);
    const fan =
      columns.length === 0
        ? undefined
        : drawFan(before, column, columns, open, straight !== undefined, signs);
    while (lanes.length > 0 && lanes.at(-1) === undefined) lanes.pop();
    return { node, edges, fan };
  });
}

function freeColumn(lanes: readonly (string | undefined)[]): number {
  const free = lanes.indexOf(undefined);
  return free < 0 ? lanes.length : free;
}

function addLane(lanes: (string | undefined)[], target: string): number {
  const column = freeColumn(lanes);
  lanes[column] = target;
  return column;
}

/** The lanes that end at the node come in from the right. */
function drawNode(
  lanes: readonly (string | undefined)[],
  column: number,
  incoming: readonly number[],
  signs: LaneSigns,
): string {
  const last = incoming.at(-1) ?? column;
  const width = Math.max(lanes.length, column + 1);
  const cells = Array.from({ length: width }, (_, at) => {
    if (at === column) return signs.node;
    if (at > column && incoming.includes(at)) return at === last ? signs.turnUp : signs.teeUp;
    const isCrossed = at > column && at < last;
    if (lanes[at] !== undefined) return isCrossed ? signs.cross : signs.down;
    return isCrossed ? signs.across : " ";
  });
  return joinCells(cells, (at) => at >= column && at < last, signs);
}

function drawPlain(
  lanes: readonly (string | undefined)[],
  own: number | undefined,
  { down }: LaneSigns,
): string {
  const width = Math.max(lanes.length, (own ?? -1) + 1);
  return Array.from({ length: width }, (_, at) => (lanes[at] !== undefined || at === own ? down : " "))
    .join(" ")
    .trimEnd();
}

/** The edges leave the node to the left and right. */
function drawFan(
  lanes: readonly (string | undefined)[],
  column: number,
  columns: readonly number[],
  open: ReadonlySet<number>,
  goesDown: boolean,
  signs: LaneSigns,
): string {
  const first = Math.min(column, ...columns);
  const last = Math.max(column, ...columns);
  const cells = Array.from({ length: Math.max(lanes.length, last + 1) }, (_, at) => {
    if (at === column) return cornerOf(first < column, last > column, goesDown, signs);
    if (columns.includes(at)) {
      const isEnd = at === first || at === last;
      if (open.has(at)) return isEnd ? (at === last ? signs.turnDown : mirrored(signs)) : signs.teeDown;
      return isEnd ? (at === last ? signs.joinLeft : signs.joinRight) : signs.joinBoth;
    }
    const isCrossed = at > first && at < last;
    if (lanes[at] !== undefined) return isCrossed ? signs.cross : signs.down;
    return isCrossed ? signs.across : " ";
  });
  return joinCells(cells, (at) => at >= first && at < last, signs);
}

function cornerOf(left: boolean, right: boolean, down: boolean, signs: LaneSigns): string {
  if (left && right) return down ? signs.joinBoth : signs.teeUp;
  if (down) return left ? signs.joinLeft : signs.joinRight;
  return left ? signs.turnUp : signs.node === unicodeLanes.node ? "╰" : "\\";
}

/** A turn down at the left end. */
function mirrored({ node }: LaneSigns): string {
  return node === unicodeLanes.node ? "╭" : "/";
}

function joinCells(cells: readonly string[], isLine: (at: number) => boolean, { across }: LaneSigns): string {
  return cells
    .map((cell, at) => (at === cells.length - 1 ? cell : `${cell}${isLine(at) ? across : " "}`))
    .join("")
    .trimEnd();
}
