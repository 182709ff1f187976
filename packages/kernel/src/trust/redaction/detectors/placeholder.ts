const openings = ["${", "{{", "$(", "%(", "#{", "<%", "[redacted:", "***"];
const shellVariable = /^\$(?:[A-Z_][A-Z0-9_]*|[a-z_]+|\d)$/;
const blanks = "*xX.-_•";

/** Words of placeholders: `your-password-here`, `CHANGE_ME`, `my_api_token`. */
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
 * `your-gitlab-token`, `CHOOSE_A_STRONG_ONE`: an instruction to the reader, without a digit that a made-up value would
 * have.
 */
const addressesReader =
  /^(?:your|choose|enter|insert|replace)(?:[_. -][a-z]+){1,5}$|^(?:YOUR|CHOOSE|ENTER|INSERT|REPLACE)(?:[_. -][A-Z]+){1,5}$/;

/** Whether a value is a placeholder and not a secret: a reference, a filler, words of documentation, a redaction marker. */
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
  if (addressesReader.test(value)) return true;
  return value
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[_. -]+/)
    .every((word) => word === "" || standIns.has(word));
}
