/**
 * Cuts diffs so that all together have no more than so many characters. What is small stays whole, and what is large shares
 * the rest evenly: a large file does not keep others from being seen. Cuts are at ends of lines, since half a secret does
 * not look like one.
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
