import { RedactionFailure, type Redactor } from "@baton/kernel";

/** Headers that Connect reads itself, and quotes when they are wrong. */
const readByConnect = /^(?:connect|grpc)-|encoding$|^te$/;

/** What a caller wrote there comes back in Connect's own errors, so it is filtered before Connect sees it. */
export function filterHeaders(headers: Headers, errors: Redactor): void {
  for (const [name, value] of [...headers]) {
    if (!readByConnect.test(name)) continue;
    const filtered = filterValue(value, errors);
    if (filtered !== value) headers.set(name, filtered);
  }
}

function filterValue(value: string, errors: Redactor): string {
  try {
    return errors.redactText(value).text;
  } catch (error) {
    if (error instanceof RedactionFailure) return "withheld";
    throw error;
  }
}
