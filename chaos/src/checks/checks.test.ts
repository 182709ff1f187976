import { AuditEntrySchema, AuditEventType, PipelineStatus } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Figures } from "../figures.ts";
import type { Acknowledged } from "../load/ledger.ts";
import { Violations } from "../violations.ts";
import { checkAudit } from "./audit.ts";
import { checkJournal } from "./journal.ts";
import { checkRuns } from "./runs.ts";
import type { StoredRecord } from "./stored-record.ts";

const one: Acknowledged = {
  key: "key-1",
  pipelineId: "p-1",
  scenario: "one stage",
  revision: 1n,
  status: PipelineStatus.COMPLETED,
};

const sent: StoredRecord = { type: "dispatched", stage: 0, dispatchId: "p-1/only/1" };
const received: StoredRecord = { type: "received", stage: 0 };
const completed: StoredRecord = { type: "completed", stage: 0 };
const end: StoredRecord = { type: "pipeline-completed" };

function found(records: readonly StoredRecord[], scenario: Acknowledged["scenario"] = "one stage") {
  const violations = new Violations();
  checkJournal({ ...one, scenario }, records, { figures: new Figures(), violations });
  return violations.all.map(({ invariant }) => invariant);
}

describe("a journal", () => {
  it("[PIP-11] with one answer and one completion is valid", () => {
    expect(found([sent, received, completed, end])).toEqual([]);
  });

  it.each([
    ["an answer counts at most once", [sent, received, received, completed, end]],
    ["no stage completes twice", [sent, received, completed, completed, end]],
    ["an attempt is dispatched once", [sent, sent, received, completed, end]],
    ["only answered stages complete", [sent, completed, end]],
    ["nothing moves after the end", [sent, received, completed, end, sent]],
  ])("[DIS-13] violates: %s", (invariant, records) => {
    expect(found(records)).toContain(invariant);
  });

  it("[PIP-08] may complete a stage again after a rejection, as often as the scenario rejects", () => {
    const again: StoredRecord = { type: "dispatched", stage: 0, dispatchId: "p-1/only/2" };
    const back: StoredRecord = { type: "rejected", target: 0, reset: [], counts: true };
    const records = [sent, received, completed, back, again, received, completed, end];
    expect(found(records, "rejected once by an agent")).toEqual([]);
    expect(found(records)).toEqual(["a review counts once"]);
  });
});

describe("attempts", () => {
  function missed(runs: readonly string[], answered: readonly string[]) {
    const violations = new Violations();
    const seen = { runs, figures: new Figures(), violations };
    checkRuns(seen, { dispatched: new Set(["p-1/only/1"]), answered: new Set(answered) });
    return violations.all.map(({ invariant }) => invariant);
  }

  it("[DIS-13] are recorded when begun, and begun when answered", () => {
    expect(missed(["p-1/only/1", "p-1/only/1"], ["p-1/only/1"])).toEqual([]);
    expect(missed(["p-1/only/2"], [])).toEqual(["nothing leaves before it is stored"]);
    expect(missed([], ["p-1/only/1"])).toEqual(["every answered attempt was begun"]);
  });
});

describe("the audit record", () => {
  const records: readonly StoredRecord[] = [{ type: "created" }, sent, end];
  const { PIPELINE_CREATED, DISPATCH_SENT, PIPELINE_COMPLETED } = AuditEventType;
  const entries = [PIPELINE_CREATED, DISPATCH_SENT, PIPELINE_COMPLETED].map((eventType, place) =>
    create(AuditEntrySchema, { auditId: `p-1/0.${place}`, pipelineId: "p-1", eventType }),
  );

  function judged(given: typeof entries, of = records) {
    const violations = new Violations();
    checkAudit("p-1", of, given, violations);
    return violations.all.map(({ detail }) => detail);
  }

  it("[OBS-02] has exactly the entries of the transitions", () => {
    expect(judged(entries)).toEqual([]);
  });

  it("[OBS-02] lacks an entry", () => {
    expect(judged(entries.toSpliced(1, 1))).toEqual([
      "p-1: 1 × dispatched and 0 × DISPATCH_SENT",
      "p-1/0.2, where p-1/0.1 was expected below version 3",
    ]);
  });

  it("[OBS-02] has an entry without its transition", () => {
    expect(judged(entries, records.slice(0, 2))).toEqual([
      "p-1: 0 × pipeline-completed and 1 × PIPELINE_COMPLETED",
    ]);
  });
});
