/** Enough of a longer word to recognize a secret. */
const maxWordLength = 512;

/** Shortens a text that is redacted later, between words: half of a secret may not be recognized. */
export function cutAtWord(text: string, longest: number): string {
  if (text.length <= longest) return text;
  for (let end = longest; end > Math.max(0, longest - maxWordLength); end--)
    if (/\s/.test(text.charAt(end))) return text.slice(0, end).toWellFormed();
  return text.slice(0, longest).toWellFormed();
}
