/** Why redaction failed. */
export type RedactionFailureCode = keyof typeof problems;

const problems = {
  "BATON-REDACTION-101": "redaction broke off",
  "BATON-REDACTION-102": "the content is larger or deeper than redaction accepts",
  "BATON-REDACTION-103": "the content is neither text nor JSON",
  "BATON-REDACTION-104": "the stream has ended or failed before",
  "BATON-REDACTION-105": "redaction took longer than it may",
} as const;

/** Redaction failed: the write is blocked and reported (A §5.3). Has no cause, because its message may quote the content. */
export class RedactionFailure extends Error {
  override readonly name = "RedactionFailure";
  readonly code: RedactionFailureCode;
  /** The name of the thrown error, never its message. */
  readonly thrown: string | undefined;

  constructor(code: RedactionFailureCode, thrown?: string) {
    super(problems[code]);
    this.code = code;
    this.thrown = thrown;
  }
}

/** Converts every error to a `RedactionFailure`. */
export function failClosed<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof RedactionFailure) throw error;
    throw new RedactionFailure("BATON-REDACTION-101", nameOf(error));
  }
}

const names = ["RangeError", "TypeError", "URIError", "SyntaxError", "ReferenceError", "EvalError"];

/** Only built-in names: an error's name can be any text. */
function nameOf(error: unknown): string {
  const name = error instanceof Error ? error.name : "";
  return names.includes(name) ? name : "Error";
}
