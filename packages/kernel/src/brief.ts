/** Agents' texts may be as long as a message. Reasons are shortened; the result keeps the full text. */
const maxAgentText = 2_048;

/** Including the hub's own words. */
const maxReason = 4_096;

/** Shortens an agent's text to a reason. */
export function brief(text: string): string {
  return cut(text, maxAgentText);
}

/** Shortens any reason for people. Text that `brief` shortened fits and stays. */
export function shortenReason(reason: string): string {
  return cut(reason, maxReason);
}

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const kept = cutAtWord(text, longest);
  return `${kept}… (${text.length - kept.length} more characters)`;
}

/** Enough of a longer word to recognize a secret. */
const maxWordLength = 512;

/** Shortens a text that is redacted later, between words: half of a secret may not be recognized. */
export function cutAtWord(text: string, longest: number): string {
  if (text.length <= longest) return text;
  for (let end = longest; end > Math.max(0, longest - maxWordLength); end--)
    if (/\s/.test(text.charAt(end))) return text.slice(0, end).toWellFormed();
  return text.slice(0, longest).toWellFormed();
}
