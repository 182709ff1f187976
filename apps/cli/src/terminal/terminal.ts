/** The capabilities of an output stream. */
export interface Terminal {
  readonly isTerminal: boolean;
  /** Whether lines can be overwritten: not on every terminal. */
  readonly canRedraw: boolean;
  /** Infinite in a pipe, where lines stay whole. */
  readonly columns: number;
  readonly rows: number;
  readonly colours: boolean;
  /** Whether the locale can display signs beyond ASCII. */
  readonly unicode: boolean;
}

interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

const defaults = { columns: 80, rows: 24 } as const;

export function detectTerminal(stream: Stream, env: Environment, platform: string): Terminal {
  const isTerminal = stream.isTTY === true;
  const stated = Number.parseInt(env.COLUMNS ?? "", 10);
  const columns = stated > 0 ? stated : undefined;
  return {
    isTerminal,
    canRedraw: isTerminal && env.TERM !== "dumb",
    columns: isTerminal
      ? stream.columns || columns || defaults.columns
      : (columns ?? Number.POSITIVE_INFINITY),
    rows: stream.rows || defaults.rows,
    colours: isTerminal && !env.NO_COLOR && env.TERM !== "dumb",
    unicode: supportsUnicode(env, platform),
  };
}

/** By the rules of locales: the first of the three variables that is set counts. */
function supportsUnicode(env: Environment, platform: string): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
  if (locale) return /utf-?8/i.test(locale);
  return platform === "darwin" || platform === "win32";
}
