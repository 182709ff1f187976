export type JsonMap = Readonly<Record<string, unknown>>;

export function isMap(value: unknown): value is JsonMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The part that a local reference such as `#/$defs/name` leads to; undefined for none. */
export function resolvePointer(root: unknown, reference: string): unknown {
  let here = root;
  for (const part of reference.split("/").slice(1)) {
    const name = decode(part).replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(here)) here = /^\d+$/.test(name) ? here[Number(name)] : undefined;
    else here = isMap(here) && Object.hasOwn(here, name) ? here[name] : undefined;
  }
  return here;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
