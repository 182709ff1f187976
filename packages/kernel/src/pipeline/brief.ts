import { cutAtWord } from "../trust/cut-at-word.ts";

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

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const kept = cutAtWord(text, longest);
  return `${kept}… (${text.length - kept.length} more characters)`;
}
