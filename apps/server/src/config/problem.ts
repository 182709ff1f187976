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

/** `file:line:column` taken apart; only the first for what has no lines. */
export function splitPlace(at: string): {
  readonly path: string;
  readonly line?: number;
  readonly column?: number;
} {
  const [, path, line, column] = /^(.*):(\d+):(\d+)$/s.exec(at) ?? [];
  return path === undefined ? { path: at } : { path, line: Number(line), column: Number(column) };
}

/** In a word, why the system did not do something with a file. */
export function reasonOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
