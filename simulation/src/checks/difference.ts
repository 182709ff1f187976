import { createHash } from "node:crypto";
import type { PipelineState } from "../kernel.ts";
import { invariant } from "../violation.ts";

/** The path of the first difference between two values. */
export function difference(a: unknown, b: unknown, path = ""): string | undefined {
  if (Object.is(a, b)) return undefined;
  // Compiled conditions are functions, which are equal when compiled from the same source.
  if (typeof a === "function" && typeof b === "function") return undefined;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return path || "the whole";
  if (a instanceof Map && b instanceof Map) return difference([...a], [...b], path);
  if (a instanceof Set && b instanceof Set) return difference([...a], [...b], path);
  if (path.endsWith(".program")) return undefined;
  const [one, other] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const keys = presentIn(one);
  if (keys.length !== presentIn(other).length)
    return `${path} (${keys.join()} and ${presentIn(other).join()})`;
  for (const key of keys) {
    const found = difference(one[key], other[key], `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Stores omit undefined fields. */
function presentIn(value: Record<string, unknown>): readonly string[] {
  return Object.keys(value).filter((key) => value[key] !== undefined);
}

/** A digest of a whole value. Fields of an object have no order; entries of a map do. */
export function digestOf(value: unknown): string {
  const text = JSON.stringify(value, (key, item: unknown) => {
    if (key === "program") return undefined;
    if (typeof item === "bigint") return `${item}n`;
    if (item instanceof Map) return { map: [...item] };
    if (item instanceof Set) return { set: [...item] };
    if (ArrayBuffer.isView(item)) return { bytes: Object.values(item) };
    if (typeof item !== "object" || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
  return createHash("sha256").update(text).digest("hex");
}

/** Replaying the stored records gives the live state, bit for bit. Both share no objects. */
export function checkReplay(
  live: PipelineState,
  replayed: PipelineState | undefined,
  withDigests: boolean,
): void {
  const found = difference(live, replayed);
  invariant(found === undefined, "replay gives the live state", () => `they differ at ${found}`);
  if (!withDigests) return;
  invariant(
    digestOf(live) === digestOf(replayed),
    "replay gives the live state",
    () => "their digests differ",
  );
}

/** The same for one decision: cheap enough for every step, since both share the objects of the records. */
export function checkShadow(live: PipelineState, shadow: PipelineState): void {
  const { plan: _, ...one } = live;
  const { plan: __, ...other } = shadow;
  const found = difference(one, other);
  invariant(found === undefined, "replay gives the live state", () => `they differ at ${found}`);
}
