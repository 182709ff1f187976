import { AuditEventType } from "@baton/contract";
import { describe, expect, it } from "vitest";
import { stages } from "../../../testing/pipelines.ts";
import { ada, Run } from "../../../testing/run.ts";
import { labelsOf } from "../state/labels.ts";

const one = stages({ a: {} });

function label(labels: Readonly<Record<string, string>>) {
  const given = Object.entries(labels).map(([name, value]) => ({ name, value }));
  return { type: "label", labels: given, by: ada } as const;
}

function labelsNow({ state }: Run): readonly string[] {
  return state ? labelsOf(state).map(({ name, value }) => `${name}=${value}`) : [];
}

describe("labels of a run", () => {
  it("[CON-05] are added, replaced and removed, also after the end, and the record says by whom", () => {
    const run = new Run({ stages: one, task: { labels: [{ name: "team", value: "core" }] } });
    run.give(label({ note: "slow" }));
    expect(labelsNow(run)).toEqual(["team=core", "note=slow"]);
    run.answer("a");
    expect(run.state?.life.status).toBe("COMPLETED");
    run.give(label({ note: "", team: "edge", "eval-result": "passed" }));
    expect(labelsNow(run)).toEqual(["team=edge", "eval-result=passed"]);
    expect(run.state?.life.status).toBe("COMPLETED");
    const entry = run.audit.findLast(({ eventType }) => eventType === AuditEventType.LABELS_CHANGED);
    expect([entry?.actor?.id, entry?.rationale]).toEqual([
      "ada",
      "note removed, team=edge, eval-result=passed",
    ]);
  });

  it("[CON-05] are not recorded when nothing changes, and a submission with the same key is still the same", () => {
    const run = new Run({ stages: one, task: { labels: [{ name: "team", value: "core" }] } });
    const before = run.records.length;
    expect(run.give(label({ team: "core", absent: "" }))).toEqual([]);
    expect(run.records.length).toBe(before);
    run.give(label({ team: "edge" }));
    expect(run.state?.task.labels).toMatchObject([{ name: "team", value: "core" }]);
  });

  it("[CON-05] are sixteen at most", () => {
    const run = new Run({ stages: one });
    run.give(label(Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`l${index}`, "x"]))));
    expect(labelsNow(run).length).toBe(16);
    run.give(label({ more: "x" }));
    expect(run.problem).toMatchObject({ code: "BATON-PIPELINE-010", at: "labels" });
    run.give(label({ l0: "", more: "x" }));
    expect(labelsNow(run)).toContain("more=x");
  });
});
