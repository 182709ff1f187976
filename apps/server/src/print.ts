import { RedactionFailure } from "@baton/kernel";
import type { EgressFilter } from "@baton/runtime";

/** Prints for a person: what is wrong may quote a file, a variable or a path. */
export function print(stream: { write(text: string): unknown }, text: string, filter: EgressFilter): void {
  stream.write(`${printable(text, filter)}\n`);
}

function printable(text: string, filter: EgressFilter): string {
  try {
    return filter.at("log").redactText(text).text;
  } catch (error) {
    if (!(error instanceof RedactionFailure)) throw error;
    return `${error.code}  what is wrong is withheld: ${error.message}`;
  }
}
