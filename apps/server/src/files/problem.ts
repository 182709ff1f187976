/** A problem of the configuration, its position and its fix. */
export interface ConfigProblem {
  readonly code: string;
  /** `file:line:column`, or the option or variable. */
  readonly at: string;
  readonly message: string;
  readonly fix: string;
}

export function describeProblems(problems: readonly ConfigProblem[]): string {
  return problems
    .map(({ code, at, message, fix }) => `${code}  ${message}\n  at ${at}\n  fix: ${fix}`)
    .join("\n");
}

/** Splits `file:line:column`; a position without lines is all path. */
export function splitPosition(at: string): {
  readonly path: string;
  readonly line?: number;
  readonly column?: number;
} {
  const [, path, line, column] = /^(.*):(\d+):(\d+)$/s.exec(at) ?? [];
  return path === undefined ? { path: at } : { path, line: Number(line), column: Number(column) };
}

/** The code of a system error, such as ENOENT. */
export function reasonOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
