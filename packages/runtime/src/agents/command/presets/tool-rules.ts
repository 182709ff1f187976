/** Rules about tools as these programs take them: joined with commas, each a name or `Name(pattern)`. */

/** One whose end could be taken for the beginning of another would say more than its author did. */
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

/** What is left out of the lists, in words for whoever watches. */
export function leftOut(rules: readonly string[]): readonly string[] {
  return rules
    .filter((rule) => !isOneRule(rule))
    .map(
      (rule) =>
        `baton: the rule ${JSON.stringify(rule)} is not passed on: it has a comma, or parentheses that do not match`,
    );
}
