import type { Endpoint, Json } from "./endpoint.ts";

/** One item of the checklist of U §12, or the error model of U §8. */
export interface Row {
  readonly id: string;
  readonly title: string;
  check(endpoint: Endpoint, notes: Notes): Promise<void>;
}

/** What was sent and seen, for the line of the row. */
export class Notes {
  readonly #steps: string[] = [];

  /** States what was sent and what has to be seen. Throws `Deviation` when it was not. */
  expect(sent: string, expected: string, isMet: boolean, seen: unknown): void {
    if (!isMet) throw new Deviation(sent, expected, show(seen));
    this.#steps.push(`${sent}: ${expected}`);
  }

  get text(): string {
    return this.#steps.join("; ");
  }
}

export class Deviation extends Error {
  override readonly name = "Deviation";

  constructor(sent: string, expected: string, seen: string) {
    super(`sent ${sent}; expected ${expected}; saw ${seen}`);
  }
}

/** The endpoint lacks what the row needs. */
export class Skipped extends Error {
  override readonly name = "Skipped";
}

const longest = 300;

/** Answers go to a terminal: one line, without control characters, and not all of it. */
export function show(value: unknown): string {
  const text = (typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing")).replaceAll(
    /\p{Cc}+/gu,
    " ",
  );
  return text.length <= longest ? text : `${text.slice(0, longest).toWellFormed()} […]`;
}

/** A member by its path, such as `error.code`. */
export function at(value: unknown, path: string): unknown {
  let found = value;
  for (const name of path.split(".")) {
    if (typeof found !== "object" || found === null) return undefined;
    found = (found as Json)[name];
  }
  return found;
}
