/** What an agent says may be as long as a message. As a reason it is told in short; the result has all of it. */
const longestSaid = 2_048;

/** With what the orchestrator says around it. */
const longestTold = 4_096;

/** What an agent says, as a reason. */
export function brief(said: string): string {
  return cut(said, longestSaid);
}

/** Any reason, for people. What was brief when it was written stays as it is. */
export function inShort(told: string): string {
  return cut(told, longestTold);
}

/**
 * The longest word that is left out whole. Half of a secret may no longer be recognized as one when the text is masked
 * later; of a longer one enough is left to recognize it.
 */
const longestWord = 512;

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const end = endOfWord(text, longest);
  return `${text.slice(0, end).toWellFormed()}… (${text.length - end} more characters)`;
}

/** The last place up to `longest` at which no word is cut in half. */
function endOfWord(text: string, longest: number): number {
  for (let end = longest; end > longest - longestWord; end--) if (/\s/.test(text.charAt(end))) return end;
  return longest;
}
