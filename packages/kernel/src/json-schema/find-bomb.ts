import { isMap, resolvePointer } from "./json.ts";
import { schemaLimits } from "./limits.ts";

/**
 * Why a schema costs more than its size: references that double what they refer to at each level, or that lead back to
 * themselves without a step into the value. Each schema is visited once.
 */
export function findBomb(root: unknown, schemas: ReadonlySet<unknown>): string | undefined {
  if (isCircular(root, schemas))
    return `applies itself, or more than ${schemaLimits.inPlace} schemas one within the other, to the same value without end`;
  if (expandedSize(root, schemas) > schemaLimits.expanded)
    return `refers to its parts so often that it has more than ${schemaLimits.expanded} schemas when they are written out`;
  return undefined;
}

/** Keywords whose schemas apply to the value itself, not to a part of it. */
const inPlace = ["$ref", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"];

function isCircular(root: unknown, schemas: ReadonlySet<unknown>): boolean {
  /** The longest chain below a schema; infinite while it is being followed. */
  const depths = new Map<unknown, number>();
  const depthOf = (schema: unknown, above: number): number => {
    if (!isMap(schema)) return 0;
    const before = depths.get(schema);
    if (before !== undefined) return before;
    if (above > schemaLimits.inPlace) return Number.POSITIVE_INFINITY;
    depths.set(schema, Number.POSITIVE_INFINITY);
    let deepest = 0;
    for (const keyword of inPlace)
      for (const next of targetsOf(keyword, schema[keyword], root))
        deepest = Math.max(deepest, 1 + depthOf(next, above + 1));
    depths.set(schema, deepest);
    return deepest;
  };
  return [...schemas].some((schema) => depthOf(schema, 0) > schemaLimits.inPlace);
}

function targetsOf(keyword: string, value: unknown, root: unknown): readonly unknown[] {
  if (keyword === "$ref") return typeof value === "string" ? [resolvePointer(root, value)] : [];
  if (Array.isArray(value)) return value;
  if (keyword === "dependentSchemas") return isMap(value) ? Object.values(value) : [];
  return [value];
}

/** The number of schemas when every reference is replaced by its target, each circle followed once. */
function expandedSize(root: unknown, schemas: ReadonlySet<unknown>): number {
  const sizes = new Map<unknown, number>();
  const sizeOf = (value: unknown, above: number): number => {
    if (typeof value !== "object" || value === null) return 0;
    const before = sizes.get(value);
    if (before !== undefined) return before;
    if (above > schemaLimits.chain) return Number.POSITIVE_INFINITY;
    const isSchema = schemas.has(value);
    sizes.set(value, 1);
    let size = isSchema ? 1 : 0;
    for (const [name, member] of Object.entries(value)) {
      if (isSchema && (name === "$defs" || name === "definitions" || name === "const" || name === "enum"))
        continue;
      const isReference = isSchema && name === "$ref" && typeof member === "string";
      size += sizeOf(isReference ? resolvePointer(root, member) : member, above + 1);
    }
    sizes.set(value, size);
    return size;
  };
  return sizeOf(root, 0);
}
