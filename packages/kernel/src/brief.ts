import { cutAtWord } from "./trust/cut-at-word.ts";

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
