const openings = ["${", "{{", "$(", "%(", "#{", "<%", "[redacted:", "***"];
const shellVariable = /^\$(?:[A-Z_][A-Z0-9_]*|[a-z_]+|\d)$/;
const blanks = "*xX.-_•";

/** Words of which stand-ins are made: `your-password-here`, `CHANGE_ME`, `my_api_token`. */
const standIns = new Set(
  (
    "your my our some the a an this that it here there me us to be set one with example sample dummy placeholder fake foo bar baz " +
    "changeme change replace replaceme insert paste enter fill put add todo tbd none null undefined redacted hidden masked " +
    "api key apikey token secret secrets password passwd pass pwd passphrase passcode credential credentials access auth client " +
    "private signing user username login id value string text name admin root guest postgres mysql default test db database host " +
    "generate generated real actual own new base64 hex random xxx abc"
  ).split(" "),
);

/**
 * Whether a value stands for a secret instead of being one: a reference that is filled in elsewhere, a blank, words of
 * documentation, a marker of ours.
 */
export function isPlaceholder(value: string): boolean {
  if (value === "") return false;
  if (openings.some((opening) => value.startsWith(opening)) || shellVariable.test(value)) return true;
  if (value.startsWith("<")) return value.includes(">");
  if (value.startsWith("[")) return value.endsWith("]") && /^\[[A-Za-z _-]+\]$/.test(value);
  if (value.startsWith("{")) return /^\{[A-Za-z_ -]+\}$/.test(value);
  if (value.startsWith("%")) return value.endsWith("%");
  if (/^[xX]{4,}(?:-[xX]{4,})*$/.test(value)) return true;
  const first = value[0] as string;
  if (value.length > 1 && blanks.includes(first) && value === first.repeat(value.length)) return true;
  return isStandIn(value);
}

function isStandIn(value: string): boolean {
  if (value.length > 48 || !/^[A-Za-z][A-Za-z0-9_. -]*$/.test(value)) return false;
  return value
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[_. -]+/)
    .every((word) => word === "" || standIns.has(word));
}
