const longest = 200;

/** Shortens input for a message: an error must not grow with its cause. */
export function shorten(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}… (${text.length} characters)`;
}
