/**
 * Masks private keys in a diff, line by line. The filter on every answer finds a key by its first line and masks up to its
 * last one; in a diff the lines of two keys may stand between each other, under one first line, and a hunk may begin in the
 * middle of a key. So each side of a hunk, the lines before and those after, is looked at by itself.
 */
export function maskKeys(diff: string): string {
  if (!/PRIVATE KEY/i.test(diff)) return diff;
  const lines = diff.split("\n");
  const masked = [...lines];
  for (const hunk of hunksIn(lines))
    for (const side of ["-", "+"] as const) maskSide(lines, hunk.filter(isOn(lines, side)), masked);
  return masked.join("\n");
}

const begin = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----/i;
const end = /-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----/i;
/** What stands between the two: base64, or a header of it. */
const armour = /^\s*(?:[A-Za-z0-9+/=]{8,}|[A-Za-z-]+: .*|)\s*$/;
const marker = "[redacted:private-key]";

/** The places of the lines of each hunk. */
function hunksIn(lines: readonly string[]): readonly (readonly number[])[] {
  const hunks: number[][] = [];
  for (const [at, line] of lines.entries()) {
    // The head of the next file is part of no hunk.
    if (line.startsWith("@@") || line.startsWith("diff --git ")) hunks.push([]);
    else hunks.at(-1)?.push(at);
  }
  return hunks;
}

function isOn(lines: readonly string[], side: "-" | "+"): (at: number) => boolean {
  return (at) => lines[at]?.startsWith(" ") || lines[at]?.startsWith(side) || false;
}

function maskSide(lines: readonly string[], places: readonly number[], masked: string[]): void {
  let isInside = false;
  for (const [place, at] of places.entries()) {
    const line = lines[at] ?? "";
    const [first, last] = [begin.exec(line), end.exec(line)];
    // A key in one line is found by the filter as it is.
    if (first && last) continue;
    if (first) masked[at] = line.slice(0, first.index) + marker;
    else if (last) {
      masked[at] = line.charAt(0) + marker + line.slice(last.index + last[0].length);
      if (!isInside) maskBack(lines, places.slice(0, place), masked);
    } else if (isInside) masked[at] = line.charAt(0) + marker;
    isInside = first !== null || (isInside && last === null);
  }
}

/** The first line of the key stands above the hunk. */
function maskBack(lines: readonly string[], places: readonly number[], masked: string[]): void {
  for (const at of places.toReversed()) {
    const line = lines[at] ?? "";
    if (!armour.test(line.slice(1))) return;
    masked[at] = line.charAt(0) + marker;
  }
}
