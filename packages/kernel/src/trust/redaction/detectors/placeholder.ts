const openings = ["${", "{{", "$(", "%(", "#{", "[redacted:", "***"];
const shellVariable = /^\$(?:[A-Z_][A-Z0-9_]*|[a-z_]+|\d)$/;
const blanks = "*xX.-_•";

/**
 * Whether a value stands for a secret instead of being one: a reference that is filled in elsewhere, a blank, a marker of
 * ours.
 */
export function isPlaceholder(value: string): boolean {
  if (value === "") return false;
  if (openings.some((opening) => value.startsWith(opening)) || shellVariable.test(value)) return true;
  if (value.startsWith("<")) return value.includes(">");
  if (value.startsWith("%")) return value.endsWith("%");
  const first = value[0] as string;
  return value.length > 1 && blanks.includes(first) && value === first.repeat(value.length);
}
