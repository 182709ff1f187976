import { describe, expect, it } from "vitest";
import { describeRun, forms, runChaos } from "./src/index.ts";

describe("a real hub with real agents", () => {
  it("[PIP-11] [SAP-08] [OBS-02] [OBS-04] [DIS-13] [DIS-15] loses nothing and repeats no effect over 15 kills", async () => {
    const run = await runChaos({ kills: 15, seed: 1, form: forms.short });
    expect(run.violations, describeRun(run)).toEqual([]);
    const { figures } = run;
    expect(figures.killCount).toBeGreaterThanOrEqual(15);
    expect(figures.doubleCompletions).toBe(0);
    expect(figures.acknowledged).toBeGreaterThan(forms.short.recoveredPipelines);
    expect(figures.ended).toBe(figures.acknowledged);
    expect(figures.auditEntries).toBeGreaterThan(figures.dispatches);
    // Repeated answers arrived, and all but the first were fenced.
    expect(figures.fencedRepeats).toBeGreaterThan(0);
    // At least one answer arrived after its attempt was given up.
    expect(figures.fencedLate, describeRun(run)).toBeGreaterThan(0);
    // Every end was reported to a webhook, signed; those whose answer was lost came again.
    expect(figures.webhooks).toBeGreaterThanOrEqual(figures.acknowledged);
    expect(figures.webhookRepeats).toBeGreaterThan(0);
    // Each kind of fault happened at least once.
    const missing = Object.entries({ ...figures.kills, ...figures.faults }).flatMap(([fault, times]) =>
      times === 0 ? [fault] : [],
    );
    const excused = [
      "the answer to a cancel repeated",
      ...(figures.skipped.length > 0 ? ["the disk full"] : []),
    ];
    expect(
      missing.filter((fault) => !excused.includes(fault)),
      describeRun(run),
    ).toEqual([]);
  });
});
