import { cutAtWord } from "./trust/cut-at-word.ts";

/** An agent may write as much as a message holds. A reason is shortened; the result keeps the full text. */
const maxAgentText = 2_048;

/** Includes the text that the hub puts around it. */
const maxReason = 4_096;

/** Shortens an agent's text to a reason. */
export function brief(said: string): string {
  return cut(said, maxAgentText);
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
