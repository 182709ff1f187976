import { createRedactor, type Redactor, type RedactorOptions } from "../redactor.ts";

/** A redactor that is expected to load. */
export function redactorOf(options?: RedactorOptions): Redactor {
  const made = createRedactor(options);
  if (!made.ok) throw new Error(made.problems.map(({ at, message }) => `${at} ${message}`).join("\n"));
  return made.redactor;
}
