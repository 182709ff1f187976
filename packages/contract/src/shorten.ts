const longest = 200;

/** What somebody sent, short enough to be told back: an error must not grow with what caused it. */
export function shorten(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}… (${text.length} characters)`;
}
