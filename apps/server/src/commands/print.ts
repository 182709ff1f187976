import { RedactionFailure } from "@baton/kernel";
import type { EgressFilter } from "@baton/runtime";

/** Listed in docs/reference/server.md. */
export const exitCodes = { stopped: 0, failed: 1, misconfigured: 2, noAddress: 3, noStore: 4 } as const;

/** Prints redacted text: messages may quote a file, a variable or a path. */
export function print(stream: { write(text: string): unknown }, text: string, filter: EgressFilter): void {
  stream.write(`${printable(text, filter)}\n`);
}

function printable(text: string, filter: EgressFilter): string {
  try {
    return filter.at("log").redactText(text).text;
  } catch (error) {
    if (!(error instanceof RedactionFailure)) throw error;
    return `${error.code}  the message is withheld: ${error.message}`;
  }
}
