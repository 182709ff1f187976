/** What a stream can show, found out once. */
export interface Look {
  readonly isTerminal: boolean;
  /** Whether lines can be written over: not on every terminal. */
  readonly canRedraw: boolean;
  /** Without bound where nobody looks at it: lines stay whole in a pipe. */
  readonly columns: number;
  readonly rows: number;
  readonly colours: boolean;
  /** Whether signs beyond ASCII can be trusted to be shown. */
  readonly unicode: boolean;
}

interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

const usual = { columns: 80, rows: 24 } as const;

export function lookOf(stream: Stream, env: Environment, platform: string): Look {
  const isTerminal = stream.isTTY === true;
  const stated = Number.parseInt(env.COLUMNS ?? "", 10);
  const wanted = stated > 0 ? stated : undefined;
  return {
    isTerminal,
    canRedraw: isTerminal && env.TERM !== "dumb",
    columns: isTerminal ? stream.columns || wanted || usual.columns : (wanted ?? Number.POSITIVE_INFINITY),
    rows: stream.rows || usual.rows,
    colours: isTerminal && !env.NO_COLOR && env.TERM !== "dumb",
    unicode: speaksUnicode(env, platform),
  };
}

/** By the rules of the locale: the first of the three that is set counts. */
function speaksUnicode(env: Environment, platform: string): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
  if (locale) return /utf-?8/i.test(locale);
  return platform === "darwin" || platform === "win32";
}
