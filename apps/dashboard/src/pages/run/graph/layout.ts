/**
 * Layered layout of the stages of a run: each stage is right of its dependencies and, within its layer, close to its
 * neighbours. A pure function that runs in a worker, so that it does not block the page.
 */
export interface Node {
  readonly id: string;
  readonly dependsOn: readonly string[];
  /** An edge to it has a label, which needs room. */
  readonly isLabelled?: boolean;
}

export interface Placed {
  readonly id: string;
  readonly x: number;
  readonly y: number;
}

export interface Edge {
  readonly from: string;
  readonly to: string;
  /** Points from the right side of one to the left side of the other. */
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface Layout {
  readonly nodes: readonly Placed[];
  readonly edges: readonly Edge[];
  readonly width: number;
  readonly height: number;
}

export const box = { width: 190, height: 62, gapX: 64, gapY: 22, passY: 18, labelWidth: 168 } as const;

/** A position in a layer: a stage, or the passage of an edge that spans several layers. */
interface Slot {
  readonly id: string;
  readonly isStage: boolean;
  readonly before: Slot[];
  readonly after: Slot[];
  order: number;
  y: number;
}

const sweeps = 6;

export function layOut(nodes: readonly Node[]): Layout {
  const known = new Map(nodes.map((node) => [node.id, node]));
  const layerOf = layersOf(nodes, known);
  const layers = Array.from({ length: Math.max(0, ...layerOf.values()) + 1 }, (): Slot[] => []);
  const slots = new Map<string, Slot>();
  for (const { id } of nodes) {
    const slot = newSlot(id, true);
    slots.set(id, slot);
    layers[layerOf.get(id) ?? 0]?.push(slot);
  }
  const chains: { readonly from: string; readonly to: string; readonly slots: readonly Slot[] }[] = [];
  for (const { id, dependsOn } of nodes) {
    for (const from of dependsOn) if (known.has(from)) chains.push({ from, to: id, slots: chain(from, id) });
  }
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const forward = sweep % 2 === 0;
    for (const layer of forward ? layers : layers.toReversed()) sortLayer(layer, forward);
  }
  const height = placeRows(layers);
  const gapX = nodes.some(({ isLabelled }) => isLabelled) ? box.labelWidth + box.gapX : box.gapX;
  const xOf = (place: number) => place * (box.width + gapX);
  return {
    nodes: nodes.map(({ id }) => ({
      id,
      x: xOf(layerOf.get(id) ?? 0),
      y: (slots.get(id)?.y ?? 0) - box.height / 2,
    })),
    edges: chains.map(({ from, to, slots: passed }) => ({
      from,
      to,
      points: passed.flatMap((slot, place) => {
        const x = xOf((layerOf.get(from) ?? 0) + place);
        if (place === 0) return [[x + box.width, slot.y] as const];
        return slot.isStage
          ? [[x, slot.y] as const]
          : [[x, slot.y] as const, [x + box.width, slot.y] as const];
      }),
    })),
    width: Math.max(0, xOf(layers.length) - gapX),
    height,
  };

  function chain(from: string, to: string): readonly Slot[] {
    const [first, last] = [slots.get(from), slots.get(to)];
    if (!first || !last) return [];
    const passed = [first];
    for (let layer = (layerOf.get(from) ?? 0) + 1; layer < (layerOf.get(to) ?? 0); layer++) {
      const slot = newSlot(`${from}>${to}`, false);
      layers[layer]?.push(slot);
      passed.push(slot);
    }
    passed.push(last);
    for (const [place, slot] of passed.entries()) {
      const next = passed[place + 1];
      if (next === undefined) continue;
      slot.after.push(next);
      next.before.push(slot);
    }
    return passed;
  }
}

function newSlot(id: string, isStage: boolean): Slot {
  return { id, isStage, before: [], after: [], order: 0, y: 0 };
}

/** The layer of each node: one more than the highest layer of its dependencies. Cycles are cut. */
function layersOf(nodes: readonly Node[], known: ReadonlyMap<string, Node>): ReadonlyMap<string, number> {
  const layers = new Map<string, number>();
  const waiting = [...nodes].toReversed();
  const open = new Set<string>();
  while (waiting.length > 0) {
    const node = waiting.at(-1) as Node;
    const missing = node.dependsOn.filter((id) => known.has(id) && !layers.has(id) && !open.has(id));
    if (missing.length > 0 && !layers.has(node.id)) {
      open.add(node.id);
      for (const id of missing) waiting.push(known.get(id) as Node);
      continue;
    }
    waiting.pop();
    const before = node.dependsOn.map((id) => layers.get(id) ?? -1);
    if (!layers.has(node.id)) layers.set(node.id, Math.max(-1, ...before) + 1);
  }
  return layers;
}

function sortLayer(layer: Slot[], forward: boolean): void {
  const wanted = new Map(
    layer.map((slot) => {
      const near = forward ? slot.before : slot.after;
      const sum = near.reduce((total, { order }) => total + order, 0);
      return [slot, near.length === 0 ? slot.order : sum / near.length];
    }),
  );
  layer.sort((a, b) => (wanted.get(a) ?? 0) - (wanted.get(b) ?? 0));
  for (const [order, slot] of layer.entries()) slot.order = order - (layer.length - 1) / 2;
}

/** Stacks the stages of each layer and centres the layers. Returns the total height. */
function placeRows(layers: readonly Slot[][]): number {
  const sizeOf = ({ isStage }: Slot) => (isStage ? box.height + box.gapY : box.passY);
  const heights = layers.map((layer) => layer.reduce((sum, slot) => sum + sizeOf(slot), 0));
  const height = Math.max(0, ...heights);
  for (const [place, layer] of layers.entries()) {
    let y = (height - (heights[place] ?? 0)) / 2;
    for (const slot of layer) {
      slot.y = y + sizeOf(slot) / 2;
      y += sizeOf(slot);
    }
  }
  return height;
}
