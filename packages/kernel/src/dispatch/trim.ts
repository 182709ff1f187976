/** The remaining bytes of a limit. */
export class ByteBudget {
  readonly limit: number;
  #left: number;

  constructor(limit: number) {
    this.limit = Math.max(0, limit);
    this.#left = this.limit;
  }

  get left(): number {
    return this.#left;
  }

  /** Reserves the bytes if they fit. */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }
}

const maxLines = 50;
const maxNameLength = 200;

/** Omissions of a context, for the record. Bounded, because it is part of an audit entry. */
export class Omissions {
  readonly #lines: string[] = [];
  #more = 0;

  note(kind: string, name: string, why: string): void {
    if (this.#lines.length < maxLines)
      this.#lines.push(`${kind} ${name.slice(0, maxNameLength).toWellFormed()}: ${why}`);
    else this.#more++;
  }

  get lines(): readonly string[] {
    return this.#more === 0 ? this.#lines : [...this.#lines, `${this.#more} more items`];
  }
}

interface KeepRules<Item> {
  readonly kind: string;
  readonly most: number;
  readonly nameOf: (item: Item) => string;
  /** Which end of a group to keep. Decisions are in chronological order, so their latest are the nearest. */
  readonly prefer: "first" | "last";
}

/** Keeps whole items within number and size, from the nearest group to the farthest. */
export function keepWholeItems<Item>(
  groups: readonly (readonly Item[])[],
  { kind, most, nameOf, prefer }: KeepRules<Item>,
  room: ByteBudget,
  omissions: Omissions,
): Item[] {
  const kept: Item[] = [];
  for (const group of groups) {
    const chosen = new Set<Item>();
    for (const item of prefer === "first" ? group : group.toReversed()) {
      if (kept.length + chosen.size >= most) omissions.note(kind, nameOf(item), `more than ${most}`);
      else if (room.take(textBytes(item))) chosen.add(item);
      else omissions.note(kind, nameOf(item), `does not fit into ${room.limit} bytes of context`);
    }
    for (const item of group) if (chosen.has(item)) kept.push(item);
  }
  return kept;
}

/** Joins whole paragraphs within `limit` code points and the room, from the nearest to the farthest. */
export function joinWholeParagraphs(
  paragraphs: readonly string[],
  limit: number,
  kind: string,
  room: ByteBudget,
  omissions: Omissions,
): string {
  let text = "";
  for (const paragraph of paragraphs.filter((one) => one !== "")) {
    const longer = text === "" ? paragraph : `${text}\n\n${paragraph}`;
    const name = `"${paragraph.slice(0, 60)}"`;
    if (codePoints(longer) > limit) omissions.note(kind, name, `does not fit into ${limit}`);
    else if (room.take(textBytes(paragraph))) text = longer;
    else omissions.note(kind, name, `does not fit into ${room.limit} bytes of context`);
  }
  return text;
}

/** Overhead of a field, so that empty items count too. */
const fieldBytes = 4;

/** The approximate size of a value on the wire: UTF-8 of its texts, plus the overhead of its fields. */
export function textBytes(value: unknown): number {
  if (typeof value === "string") return utf8Bytes(value) + fieldBytes;
  if (value instanceof Uint8Array) return value.length + fieldBytes;
  if (typeof value !== "object" || value === null) return fieldBytes;
  let bytes = fieldBytes;
  for (const [name, member] of Object.entries(value)) {
    if (name === "$typeName") continue;
    // Only structured data contains names; counting them everywhere overestimates, which is safe.
    bytes += textBytes(member) + (Array.isArray(value) ? 0 : name.length);
  }
  return bytes;
}

function utf8Bytes(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    // A surrogate pair is four bytes, two for each of its units.
    if (unit >= 0x80) bytes += unit < 0x800 || (unit & 0xf800) === 0xd800 ? 1 : 2;
  }
  return bytes;
}

/** Code points, the unit of the contract. */
export function codePoints(text: string): number {
  let pairs = 0;
  for (let at = 0; at < text.length; at++) if ((text.charCodeAt(at) & 0xfc00) === 0xd800) pairs++;
  return text.length - pairs;
}
