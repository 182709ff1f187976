/** Of a longer word enough is left to recognize it as a secret. */
const longestWord = 512;

/**
 * The beginning of a text that is masked later. No word is cut in half: half of a secret may no longer be recognized as
 * one.
 */
export function cutAtWord(text: string, longest: number): string {
  if (text.length <= longest) return text;
  for (let end = longest; end > Math.max(0, longest - longestWord); end--)
    if (/\s/.test(text.charAt(end))) return text.slice(0, end).toWellFormed();
  return text.slice(0, longest).toWellFormed();
}
