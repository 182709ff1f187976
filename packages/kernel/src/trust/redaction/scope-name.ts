const longestScope = 128;
const part = /^(?:\*|[a-z]+(?:[_-][a-z]+)*|v\d{1,2}|[a-z]{1,8}\d{1,2})$/i;

/**
 * Whether a text is the name of a scope (`repo:read`, `orders.write`, `https://host/auth/drive.readonly`) and not the value
 * of a token: words, with marks between them.
 */
export function isScopeName(text: string): boolean {
  if (text.length > longestScope) return false;
  const parts = text.replace(/^https:\/\//, "").split(/[:./]/);
  return parts.length <= 12 && parts.every((word) => part.test(word));
}
