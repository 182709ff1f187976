import { RedactionFailure } from "@baton/kernel";
import type { EgressFilter } from "@baton/runtime";
import { type DestinationStream, type Logger, pino } from "pino";

/**
 * The log of the hub: JSON lines. Every line is redacted as structured data; a line that cannot be redacted is replaced by
 * a notice.
 */
export function createLog(level: string, filter: EgressFilter, destination: DestinationStream): Logger {
  const redactor = filter.at("log");
  const streamWrite = (line: string): string => {
    try {
      const { value, masked } = redactor.redactValue(JSON.parse(line), "log");
      return masked ? `${JSON.stringify(value)}\n` : line;
    } catch (error) {
      return withheld(error);
    }
  };
  return pino({ level, base: null, hooks: { streamWrite } }, destination);
}

function withheld(error: unknown): string {
  const code = error instanceof RedactionFailure ? error.code : "BATON-REDACTION-101";
  const fatal = 60;
  const line = { level: fatal, time: Date.now(), code, way: "log", msg: "a log line is withheld" };
  return `${JSON.stringify(line)}\n`;
}

/** Logs an alert when something was not written or sent (A §5.3: block and alert). */
export function alertByLog(filter: EgressFilter, log: Logger): void {
  filter.onFailures(({ egress: way, code }) => {
    // The log replaces its own lines by a notice.
    if (way !== "log") log.fatal({ way, code }, "redaction failed, so nothing was written or sent");
  });
}
