import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evolveFleet } from "./state/evolve-fleet.ts";
import { emptyFleet } from "./state/fleet-state.ts";
import { type FleetRecord, recordDurability } from "./state/record.ts";
import { anyHistory, type Step, tightSettings } from "./testing/any-input.ts";
import { Fleet } from "./testing/fleet.ts";
import { PlainFleet } from "./testing/plain-fleet.ts";
import { snapshotFleet } from "./testing/snapshot.ts";
import { instanceInfo, listInstances } from "./view/instance-info.ts";
import { viewFleet } from "./view/view-fleet.ts";

/** Each run is a life of up to eighty steps. */
const numRuns = Math.ceil(Number(process.env.BATON_FUZZ_RUNS ?? 500) / 4);

/** Lives through a history; `look` is called after each step with the records it made. */
function live(
  steps: readonly Step[],
  look: (fleet: Fleet, records: readonly FleetRecord[], step: Step) => void,
) {
  const fleet = new Fleet(tightSettings);
  for (const step of steps) {
    fleet.nowMs += step.afterMs;
    look(fleet, fleet.take(step.input).records, step);
  }
  return fleet;
}

const replay = (records: readonly FleetRecord[]) => records.reduce(evolveFleet, emptyFleet());

function always(holds: (steps: readonly Step[]) => void): void {
  fc.assert(fc.property(anyHistory, holds), { numRuns });
}

describe("the fleet, whatever happens", { timeout: 600_000 }, () => {
  it("[DIS-03] is the same again when its records are replayed", () => {
    always((steps) => {
      const fleet = live(steps, () => {});
      expect(snapshotFleet(replay(fleet.records))).toEqual(snapshotFleet(fleet.state));
    });
  });

  it("[DIS-03] is not changed by a decision, and a refusal has no records", () => {
    always((steps) => {
      live(steps, (fleet, _, { input }) => {
        const before = snapshotFleet(fleet.state);
        const { problem, records, audit } = fleet.decide(input);
        expect(snapshotFleet(fleet.state)).toEqual(before);
        if (problem) expect([...records, ...audit]).toEqual([]);
      });
    });
  });

  it("[DIS-07] lists the candidates that a scan of everything would find, in the same order", () => {
    always((steps) => {
      const plain = new PlainFleet();
      live(steps, ({ view, nowMs }, records) => {
        for (const record of records) plain.fold(record);
        for (const packId of ["dev", "qa"]) {
          for (const atMs of [nowMs, nowMs + 1_200]) {
            const seen = [...view.profiles(packId, atMs)].map((profile) => ({
              counts: profile.counts,
              best: profile
                .best(9, atMs)
                .map(
                  (of) => `${of.instanceId} ${of.health} ${of.activeTasks}/${of.maxTasks} ${of.avgLatencyMs}`,
                ),
            }));
            const expected = Object.values(plain.profiles(packId, atMs));
            expect(seen).toHaveLength(expected.length);
            expect(seen).toEqual(expect.arrayContaining(expected));
          }
          expect(view.activeOfPack(packId)).toBe(plain.activeOfPack(packId));
        }
      });
    });
  });

  it("[DIS-14] lifts a quarantine only when an operator restores the instance, also after a restart", () => {
    always((steps) => {
      const plain = new PlainFleet();
      const fleet = live(steps, ({ state, nowMs }, records) => {
        for (const record of records) plain.fold(record);
        const found = [...listInstances(state, nowMs)].filter(({ health }) => health === "QUARANTINED");
        const names = found.map(({ packId, instanceId }) => `${packId}/${instanceId}`);
        expect(names.sort()).toEqual(plain.quarantined());
      });
      const stored = fleet.records.filter(({ kind }) => recordDurability[kind] === "stored");
      const restarted = replay(stored);
      for (const name of plain.quarantinedThemselves()) {
        const [packId = "", instanceId = ""] = name.split("/");
        expect(instanceInfo(restarted, packId, instanceId, 0)?.health).toBe("QUARANTINED");
      }
      for (const [packId, { manifests }] of fleet.state.packs) {
        expect(restarted.packs.get(packId)?.manifests).toEqual(manifests);
      }
      const known = [...restarted.packs].flatMap(([packId, { manifests }]) =>
        manifests.size > 0 ? [packId] : [],
      );
      expect(viewFleet(restarted).packIds()).toEqual(known.sort());
    });
  });

  it("[DIS-03] ends every dispatch once: settled or lost", () => {
    always((steps) => {
      const underWay = new Set<string>();
      const fleet = live(steps, (_, records) => {
        for (const record of records) {
          if (record.kind === "dispatched") {
            expect(underWay.has(record.dispatchId)).toBe(false);
            underWay.add(record.dispatchId);
          }
          const ended = record.kind === "settled" ? [record.dispatchId] : [];
          const lost = record.kind === "lease-ended" ? record.lostDispatchIds : [];
          for (const id of [...ended, ...lost]) expect(underWay.delete(id)).toBe(true);
        }
      });
      expect([...fleet.state.dispatches.keys()].sort()).toEqual([...underWay].sort());
    });
  });

  it("[DIS-03] has the same candidates and lost dispatches however often it ticks", () => {
    always((steps) => {
      const lost = (records: readonly FleetRecord[]) =>
        records.flatMap((record) => (record.kind === "lease-ended" ? record.lostDispatchIds : [])).sort();
      const relevant = steps.filter(({ input }) =>
        ["register", "heartbeat", "dispatched"].includes(input.kind),
      );
      // With room enough, and breakers that do not open: limits and breakers depend on when a tick records a lost dispatch.
      const breaker = { ...tightSettings.breaker, errorThreshold: Number.POSITIVE_INFINITY };
      const [calm, busy] = [new Fleet({ breaker }), new Fleet({ breaker })];
      for (const [at, { afterMs, input }] of relevant.entries()) {
        const given = input.kind === "dispatched" ? { ...input, dispatchId: `d${at}` } : input;
        busy.nowMs += afterMs;
        busy.tick();
        busy.take(given);
        calm.nowMs += afterMs;
        calm.take(given);
        expect(calm.best().toSorted()).toEqual(busy.best().toSorted());
      }
      for (const fleet of [calm, busy]) fleet.tick();
      expect(lost(calm.records)).toEqual(lost(busy.records));
    });
  });
});
