/** What is wrong with the configuration, where, and the way out. */
export interface ConfigProblem {
  readonly code: string;
  /** `file:line:column`, or the option or variable that said it. */
  readonly at: string;
  readonly message: string;
  readonly fix: string;
}

/** All problems for a person, one after another. */
export function describeProblems(problems: readonly ConfigProblem[]): string {
  return problems
    .map(({ code, at, message, fix }) => `${code}  ${message}\n  at ${at}\n  fix: ${fix}`)
    .join("\n");
}
