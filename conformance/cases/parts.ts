/** The smallest valid parts of which the cases are made. One story: a team limits login attempts. */
import type { JsonObject } from "@bufbuild/protobuf";

export const schemaVersion: JsonObject = { schemaVersion: "1.0.0" };

export const trace: JsonObject = {
  traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
  spanId: "00f067aa0ba902b7",
  tenantId: "acme",
};

export const contract: JsonObject = {
  taskId: "T-1042",
  title: "Limit login attempts",
  acceptanceCriteria: ["The sixth wrong password within a minute is refused"],
};

/** An instant that is there with nothing in it: zero seconds, zero nanoseconds. */
export const epoch = "1970-01-01T00:00:00Z";
export const startedAt = "2026-03-14T09:00:00Z";
export const finishedAt = "2026-03-14T09:42:30.250Z";
export const deadline = "2026-03-14T12:00:00Z";
export const deadlineMs = Date.parse(deadline);

/** A digest of 32 bytes in the base64 of protobuf JSON; the seed distinguishes digests. */
export function hash(seed: number, length = 32): string {
  return Buffer.from(Array.from({ length }, (_, index) => (seed + index) % 256)).toString("base64");
}

/** A text of exactly this many characters. */
export function ofLength(length: number, unit = "x"): string {
  return unit.repeat(length);
}

export const checkClaim: JsonObject = { command: "npm test", output: "12 passed", passed: true };
export const checkRun: JsonObject = {
  command: "npm test",
  passed: true,
  exitCode: 1,
  output: "11 passed, 1 failed",
  duration: "1.250s",
  sandbox: "bubblewrap",
  sandboxWarning: "processes are not limited",
  baseTests: {
    changedTests: ["test/mail.test.ts"],
    passed: true,
    exitCode: 1,
    output: "1 failed",
  },
};
