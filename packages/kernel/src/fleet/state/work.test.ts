import { describe, expect, it } from "vitest";
import { Fleet } from "../testing/fleet.ts";
import { instanceWork } from "../view/instance-info.ts";
import { workLimits } from "./work.ts";

function fleetOf(...instanceIds: readonly string[]): Fleet {
  const fleet = new Fleet();
  fleet.register();
  for (const instanceId of instanceIds) fleet.beat(instanceId, { leaseTtl: { seconds: 600n } });
  return fleet;
}

type Outcome = Parameters<Fleet["settle"]>[1];

/** Attempts one after another, each of a second. */
function attempts(fleet: Fleet, instanceId: string, outcomes: readonly Outcome[], run = "run"): void {
  for (const [at, outcome = "succeeded"] of outcomes.entries()) {
    const dispatchId = `${run}/a/${at + 1}`;
    fleet.dispatch(dispatchId, instanceId);
    fleet.nowMs += 1_000;
    fleet.take({ kind: "settled", dispatchId, outcome, error: outcome === "failed" ? `broke ${at}` : "" });
  }
}

const workOf = ({ state, nowMs }: Fleet, instanceId = "a") => {
  const work = instanceWork(state, "dev", instanceId, nowMs);
  if (!work) throw new Error(`${instanceId} has had nothing to do`);
  return work;
};

describe("[A §3.4] the work of an instance", () => {
  it("is unknown until it has had a dispatch", () => {
    const fleet = fleetOf("a");
    expect(instanceWork(fleet.state, "dev", "a", 0)).toBeUndefined();
    fleet.dispatch("run/a/1", "a");
    expect(workOf(fleet)).toMatchObject({ attempts: [], succeeded: 0, failed: 0, isFailing: false });
  });

  it("counts what succeeded and failed, newest first, with the last failure", () => {
    const fleet = fleetOf("a", "b");
    attempts(fleet, "a", ["failed", "succeeded", "withdrawn"]);
    const { attempts: ended, ...work } = workOf(fleet);
    expect(ended.map(({ outcome }) => outcome)).toEqual(["cancelled", "succeeded", "failed"]);
    expect(work).toMatchObject({ succeeded: 1, failed: 1, failuresInARow: 0, isFailing: false });
    expect(work.lastFailure).toEqual({
      ...{ packId: "dev", instanceId: "a", dispatchId: "run/a/1", taskType: "review" },
      ...{ startedAtMs: 0, endedAtMs: 1_000, outcome: "failed", error: "broke 0" },
    });
    expect(instanceWork(fleet.state, "dev", "b", fleet.nowMs)).toBeUndefined();
  });

  it("is failing after three failures in a row, whatever was cancelled between, until one succeeds", () => {
    const fleet = fleetOf("a");
    attempts(fleet, "a", ["failed", "failed"]);
    expect(workOf(fleet)).toMatchObject({ failed: 2, failuresInARow: 2, isFailing: false });
    attempts(fleet, "a", ["withdrawn", "failed"], "second");
    expect(workOf(fleet)).toMatchObject({ failed: 3, failuresInARow: 3, isFailing: true });
    attempts(fleet, "a", ["succeeded"], "third");
    expect(workOf(fleet)).toMatchObject({ succeeded: 1, failed: 3, failuresInARow: 0, isFailing: false });
  });

  it("counts an attempt as failed when its work is overturned, and one that is lost with its lease", () => {
    const fleet = fleetOf("a");
    attempts(fleet, "a", ["succeeded"]);
    const of = { packId: "dev", instanceId: "a" };
    fleet.take({ kind: "overturned", dispatchId: "run/a/1", ...of, error: "these checks failed: tests" });
    expect(workOf(fleet)).toMatchObject({
      ...{ succeeded: 0, failed: 1 },
      lastFailure: { outcome: "failed", error: "these checks failed: tests" },
    });
    fleet.dispatch("run/a/2", "a");
    fleet.take({ kind: "detach", ...of });
    expect(workOf(fleet)).toMatchObject({
      ...{ failed: 2, failuresInARow: 2 },
      lastFailure: { dispatchId: "run/a/2", outcome: "lost", error: "its connection broke off" },
    });
    // The pipeline reports the end of a lost attempt too.
    fleet.settle("run/a/2", "failed");
    expect(workOf(fleet).attempts).toHaveLength(2);
  });

  it("keeps the last twenty attempts, and the last failure longer", () => {
    const fleet = fleetOf("a");
    attempts(fleet, "a", ["failed"], "first");
    attempts(fleet, "a", new Array<Outcome>(workLimits.attempts + 5).fill("succeeded"));
    const work = workOf(fleet);
    expect(work.attempts).toHaveLength(workLimits.attempts);
    expect(work.attempts[0]?.dispatchId).toBe("run/a/25");
    expect(work).toMatchObject({ succeeded: 20, failed: 0, lastFailure: { dispatchId: "first/a/1" } });
    expect(fleet.state.attempts.size).toBe(workLimits.attempts);
  });

  it("forgets the attempts that ended first when the whole fleet has too many", () => {
    const many = workLimits.attemptsOfFleet / workLimits.attempts;
    const ids = Array.from({ length: many + 1 }, (_, at) => `i${at}`);
    const fleet = fleetOf(...ids);
    for (const id of ids)
      for (let at = 0; at < workLimits.attempts; at++) {
        fleet.dispatch(`${id}/a/${at}`, id);
        fleet.settle(`${id}/a/${at}`);
      }
    expect(fleet.state.attempts.size).toBe(workLimits.attemptsOfFleet);
    expect(workOf(fleet, "i0").attempts).toEqual([]);
    expect(workOf(fleet, "i1").attempts).toHaveLength(workLimits.attempts);
  });

  it("shortens an error between words", () => {
    const fleet = fleetOf("a");
    fleet.dispatch("run/a/1", "a");
    fleet.take({ kind: "settled", dispatchId: "run/a/1", outcome: "failed", error: "word ".repeat(100) });
    const { length } = workOf(fleet).lastFailure?.error ?? "";
    expect(length).toBeLessThanOrEqual(workLimits.errorLength);
    expect(length % 5).toBe(4);
  });

  it("says which share of the time it was busy, overlaps counted once, up to now", () => {
    const fleet = fleetOf("a");
    fleet.nowMs = 1_000;
    fleet.dispatch("run/a/1", "a");
    fleet.nowMs = 2_000;
    fleet.dispatch("run/b/1", "a");
    fleet.nowMs = 4_000;
    fleet.settle("run/a/1");
    fleet.nowMs = 5_000;
    fleet.settle("run/b/1");
    fleet.nowMs = 8_000;
    expect(workOf(fleet)).toMatchObject({ busyShare: 0.5, windowMs: 8_000 });
    fleet.dispatch("run/c/1", "a");
    fleet.nowMs = 16_000;
    expect(workOf(fleet)).toMatchObject({ busyShare: 0.75, windowMs: 16_000 });
  });

  it("looks back an hour at most, and no further than its attempts are complete", () => {
    const fleet = fleetOf("a");
    attempts(fleet, "a", ["succeeded"], "first");
    attempts(fleet, "a", new Array<Outcome>(workLimits.attempts).fill("succeeded"));
    expect(workOf(fleet)).toMatchObject({ busyShare: 1, windowMs: 20_000 });
    fleet.nowMs += workLimits.windowMs - 10_000;
    const { busyShare, windowMs } = workOf(fleet);
    expect([Math.round(busyShare * windowMs), windowMs]).toEqual([10_000, workLimits.windowMs]);
  });

  it("is forgotten with the instance", () => {
    const fleet = fleetOf("a");
    attempts(fleet, "a", ["failed"]);
    fleet.nowMs += 700_000;
    fleet.tick();
    fleet.nowMs += fleet.settings.forgetAfterMs;
    fleet.tick();
    expect(instanceWork(fleet.state, "dev", "a", fleet.nowMs)).toBeUndefined();
    expect(fleet.state.attempts.size).toBe(0);
  });
});
