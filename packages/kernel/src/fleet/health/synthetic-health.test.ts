import { describe, expect, it } from "vitest";
import { type AttemptNote, deriveHealth, noteAttempt, syntheticHealthRules } from "./synthetic-health.ts";

const good: AttemptNote = { endedMs: 0, durationMs: 1_000, failedTools: [] };

function healthAfter(attempts: readonly Partial<AttemptNote>[], nowMs = attempts.length * 1_000) {
  const notes = attempts.reduce<readonly AttemptNote[]>(
    (known, attempt, index) => noteAttempt(known, { ...good, endedMs: (index + 1) * 1_000, ...attempt }),
    [],
  );
  return deriveHealth(notes, { nowMs, isInstalled: true });
}

describe("the health of a command", () => {
  it("[TRN-03] is healthy before anything was tried", () => {
    expect(healthAfter([])).toEqual({
      status: "HEALTHY",
      errorRate1m: 0,
      avgLatencyMs: 0,
      degradedTools: [],
      reason: "",
    });
  });

  it.each(["timeout", "exit", "no-answer", "not-started"] as const)(
    "[TRN-03] [DIS-17] is degraded by one attempt that ends with %s",
    (failure) => {
      expect(healthAfter([{}, { failure }])).toMatchObject({ status: "DEGRADED", errorRate1m: 0.5 });
    },
  );

  it("[TRN-03] [DIS-17] is degraded by a tool that failed, and by name when it failed twice", () => {
    const once = { failedTools: ["Bash", "Edit"] };
    expect(healthAfter([once])).toMatchObject({ status: "DEGRADED", degradedTools: [] });
    expect(healthAfter([once, { failedTools: ["Bash"] }])).toMatchObject({ degradedTools: ["Bash"] });
    expect(healthAfter([once, {}, once])).toMatchObject({ degradedTools: [] });
  });

  it("[TRN-03] recovers after two good attempts, and not after one", () => {
    const bad = { failure: "exit" } as const;
    expect(healthAfter([bad, {}]).status).toBe("DEGRADED");
    expect(healthAfter([bad, {}, {}]).status).toBe("HEALTHY");
    expect(healthAfter([bad, {}, bad, {}]).status).toBe("DEGRADED");
  });

  it("[TRN-03] recovers with time, without any work", () => {
    const attempts = [{ failure: "timeout" }, { failure: "timeout" }] as const;
    const { forgiveMs } = syntheticHealthRules;
    expect(healthAfter(attempts, forgiveMs + 1_999).status).toBe("DEGRADED");
    expect(healthAfter(attempts, forgiveMs + 2_000).status).toBe("HEALTHY");
  });

  it("[TRN-03] is unhealthy without its program", () => {
    expect(deriveHealth([], { nowMs: 0, isInstalled: false }).status).toBe("UNHEALTHY");
  });

  it("[TRN-03] reports how long attempts of the last minute took", () => {
    expect(healthAfter([{ durationMs: 100 }, { durationMs: 300 }]).avgLatencyMs).toBe(200);
    expect(healthAfter([{ durationMs: 100 }], 120_000).avgLatencyMs).toBe(0);
  });

  it("[TRN-03] remembers no more than it needs", () => {
    const { notes, tools } = syntheticHealthRules;
    let known: readonly AttemptNote[] = [];
    const failedTools = Array.from({ length: 100 }, (_, index) => `tool-${index}`);
    for (let index = 0; index < 100; index++) known = noteAttempt(known, { ...good, failedTools });
    expect(known).toHaveLength(notes);
    expect(known.every((note) => note.failedTools.length === tools)).toBe(true);
  });
});
