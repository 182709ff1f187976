/** Tool rules of these programs: joined with commas, each a name or `Name(pattern)`. */

/** A rule that could be read as several would allow more than its author wrote. */
export function isOneRule(rule: string): boolean {
  const [, pattern = ""] = /^[^\s(),-][^\s(),]*(?:\((.*)\))?$/s.exec(rule) ?? [rule, ","];
  if (pattern.includes(",")) return false;
  let open = 0;
  for (const letter of pattern) {
    if (letter === "(") open++;
    if (letter === ")" && --open < 0) return false;
  }
  return open === 0;
}

export function oneRules(rules: readonly string[]): readonly string[] {
  return rules.filter(isOneRule);
}

/** The rules left out, as lines for watchers. */
export function leftOut(rules: readonly string[]): readonly string[] {
  return rules
    .filter((rule) => !isOneRule(rule))
    .map(
      (rule) =>
        `baton: the rule ${JSON.stringify(rule)} is not passed on: it has a comma, or parentheses that do not match`,
    );
}
