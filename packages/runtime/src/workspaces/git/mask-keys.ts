/**
 * Masks private keys in a diff, line by line. The answer filter masks from a key's first line to its last; in a diff
 * the lines of two keys can alternate, and a hunk can start inside a key. So the old and the new side of each hunk are
 * masked separately.
 */
export function maskKeys(diff: string): string {
  if (!/PRIVATE KEY/i.test(diff)) return diff;
  const lines = diff.split("\n");
  const masked = [...lines];
  for (const hunk of hunksIn(lines))
    for (const side of ["-", "+"] as const) maskSide(lines, hunk.filter(isOn(lines, side)), masked);
  return masked.join("\n");
}

const beginLine = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----/i;
const endLine = /-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----/i;
/** A line of the key: base64 or a header. */
const armour = /^\s*(?:[A-Za-z0-9+/=]{8,}|[A-Za-z-]+: .*|)\s*$/;
const marker = "[redacted:private-key]";

/** Line indexes of each hunk. */
function hunksIn(lines: readonly string[]): readonly (readonly number[])[] {
  const hunks: number[][] = [];
  for (const [at, line] of lines.entries()) {
    // A file header ends the hunk.
    if (line.startsWith("@@") || line.startsWith("diff --git ")) hunks.push([]);
    else hunks.at(-1)?.push(at);
  }
  return hunks;
}

function isOn(lines: readonly string[], side: "-" | "+"): (at: number) => boolean {
  return (at) => lines[at]?.startsWith(" ") || lines[at]?.startsWith(side) || false;
}

function maskSide(lines: readonly string[], indexes: readonly number[], masked: string[]): void {
  let isInside = false;
  for (const [position, at] of indexes.entries()) {
    const line = lines[at] ?? "";
    const [first, last] = [beginLine.exec(line), endLine.exec(line)];
    // The answer filter masks a key on one line.
    if (first && last) continue;
    if (first) masked[at] = line.slice(0, first.index) + marker;
    else if (last) {
      masked[at] = line.charAt(0) + marker + line.slice(last.index + last[0].length);
      if (!isInside) maskBack(lines, indexes.slice(0, position), masked);
    } else if (isInside) masked[at] = line.charAt(0) + marker;
    isInside = first !== null || (isInside && last === null);
  }
}

/** The key began above the hunk. */
function maskBack(lines: readonly string[], indexes: readonly number[], masked: string[]): void {
  for (const at of indexes.toReversed()) {
    const line = lines[at] ?? "";
    if (!armour.test(line.slice(1))) return;
    masked[at] = line.charAt(0) + marker;
  }
}
