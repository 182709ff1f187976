/** Numbers, instants and durations at the ends of their ranges. */

import { type Case, type Loss, valid } from "../case.ts";
import { minimalEntry } from "../messages/audit.ts";
import { minimalEnvelope } from "../messages/envelope.ts";
import { minimalEvent } from "../messages/event.ts";
import { minimalPipeline } from "../messages/pipeline.ts";
import { minimalResult } from "../messages/result.ts";
import { finishedAt } from "../parts.ts";
import { absent, patch } from "../patch.ts";
import { minimalHeartbeat } from "../services/registry.ts";

const heartbeat = (
  name: string,
  shows: string,
  changes: Parameters<typeof patch>[1],
  losses?: readonly Loss[],
) =>
  valid(
    `number-${name}`,
    "AgentHeartbeat",
    shows,
    patch(minimalHeartbeat, changes),
    losses ? { losses } : {},
  );

const timeout = (name: string, shows: string, duration: string, deadline?: string) =>
  valid(
    `time-${name}`,
    "AuditEntry",
    shows,
    patch(minimalEntry, {
      "snapshot.timeout": deadline === undefined ? { duration } : { duration, deadline },
    }),
  );

const negativeZeroIsLost: Loss = {
  language: "typescript",
  form: "json",
  reason: "JSON.stringify writes -0 as 0, so the sign is gone, and with it the presence of the field",
};

export const numberCases: readonly Case[] = [
  heartbeat("nan", "A double that is not a number, where no rule forbids it.", {
    "health.error_rate_1m": "NaN",
  }),
  heartbeat("infinity", "A double beyond all others.", { "health.error_rate_1m": "Infinity" }),
  heartbeat("minus-infinity", "A double below all others.", { "health.error_rate_1m": "-Infinity" }),
  heartbeat("largest-double", "The largest finite double.", { "health.error_rate_1m": Number.MAX_VALUE }),
  heartbeat("smallest-double", "The smallest double above zero.", {
    "health.error_rate_1m": Number.MIN_VALUE,
  }),
  heartbeat(
    "negative-zero",
    "Negative zero is not the default: it travels.",
    { "health.error_rate_1m": -0 },
    [negativeZeroIsLost],
  ),
  heartbeat("int32-extremes", "The ends of 32 bits; the negative one takes ten bytes.", {
    capacity: { activeTasks: -2147483648, maxTasks: 2147483647 },
  }),
  valid(
    "number-endless-tool-call",
    "Event",
    "An infinite duration is not below zero.",
    patch(minimalEvent, {
      sandbox_pulse: absent,
      tool_completed: {
        callId: "call-1",
        tool: "sleep",
        status: "TOOL_STATUS_TIMEOUT",
        durationMs: "Infinity",
        timestamp: finishedAt,
      },
    }),
  ),
  valid(
    "number-int64-extremes",
    "AgentResult",
    "The largest of 64 bits, and the first that a double cannot hold; JSON writes both as text.",
    patch(minimalResult, {
      usage: {
        inputTokens: "9223372036854775807",
        outputTokens: "9007199254740993",
        costMicroUsd: "0",
        steps: 2147483647,
      },
    }),
  ),
  valid(
    "number-doubles-of-a-policy",
    "Pipeline",
    "Doubles that no short decimal equals: they come back as they went.",
    patch(minimalPipeline, {
      "stages[0].config.handoff_policy.retry": { backoffMultiplier: 0.1 + 0.2, jitter: 1 / 3 },
    }),
  ),

  timeout(
    "longest",
    "The longest duration and the last instant.",
    "315576000000s",
    "9999-12-31T23:59:59.999999999Z",
  ),
  timeout(
    "shortest",
    "The longest duration below zero and the first instant.",
    "-315576000000s",
    "0001-01-01T00:00:00Z",
  ),
  timeout(
    "nanosecond",
    "The shortest duration, and one nanosecond after the epoch.",
    "0.000000001s",
    "1970-01-01T00:00:00.000000001Z",
  ),
  timeout("negative-nanoseconds", "Below zero both parts of a duration are negative.", "-1.500s"),
  timeout(
    "negative-fraction",
    "Less than a second below zero: only the nanoseconds carry the sign.",
    "-0.000000001s",
  ),
  timeout(
    "before-the-epoch",
    "Before the epoch the nanoseconds of an instant still count forward.",
    "0.010s",
    "1969-12-31T23:59:59.500Z",
  ),
  timeout(
    "milliseconds",
    "Fractions are written with three, six or nine digits.",
    "1.010s",
    "2026-03-14T09:26:53.589Z",
  ),
  timeout("microseconds", "Six digits.", "1.000010s", "2026-03-14T09:26:53.589793Z"),
  timeout("leap-day", "The last second of a leap day.", "86400s", "2024-02-29T23:59:59Z"),
  valid(
    "time-last-deadline",
    "TaskEnvelope",
    "The last instant there is, and the longest timeout.",
    patch(minimalEnvelope, {
      "execution.deadline": "9999-12-31T23:59:59.999999999Z",
      "execution.timeout": "315576000000s",
    }),
    { nowMs: Date.parse("9999-12-31T23:59:59.998Z") },
  ),
];
