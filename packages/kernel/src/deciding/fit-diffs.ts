/**
 * Shortens diffs to a total size. Small ones stay whole and large ones share the rest, so that a large file does not hide
 * others. Cuts at line ends, because half a secret would not be recognized.
 */
export function fitDiffs(diffs: readonly string[], maxCharacters: number): readonly string[] {
  const fitted = diffs.map(() => "");
  const bySize = [...diffs.keys()].toSorted((a, b) => (diffs[a]?.length ?? 0) - (diffs[b]?.length ?? 0));
  let left = maxCharacters;
  for (const [done, position] of bySize.entries()) {
    const share = Math.floor(left / (diffs.length - done));
    const text = cutAtLine(diffs[position] ?? "", share);
    fitted[position] = text;
    left -= text.length;
  }
  return fitted;
}

function cutAtLine(text: string, most: number): string {
  if (text.length <= most) return text;
  return text.slice(0, text.lastIndexOf("\n", most - 1) + 1);
}
