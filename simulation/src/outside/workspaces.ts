import { activeAttempts } from "@baton/kernel";
import type { Workspaces } from "@baton/runtime";
import { pipelineOf } from "@baton/runtime/parts";
import type { Watch } from "../checks/checker.ts";
import { look, type Sim } from "../sim.ts";
import { demand } from "../violation.ts";

/**
 * The folders in which agents work, as a disk would have them: they outlive the hub. What is asked for twice is made once,
 * and nothing is put away in which somebody works.
 */
export function simulatedPlaces(
  sim: Sim,
  watch: Watch,
  later: <Value>(delayMs: number, work: () => Value) => Promise<Value>,
): Workspaces {
  const made = new Map<string, { readonly baseCommit: string; readonly startCommit: string }>();
  const kept = new Map<string, string>();
  return {
    prepare: ({ dispatchId, branch, base, start }) => {
      watch.exits.leaving("prepare-workspace", dispatchId);
      const fails = sim.faults.strikes("place not made");
      return later(sim.random.int(10, 3_000), () => {
        if (fails) return { ok: false, reason: "there is no room", fix: "make room" };
        const baseCommit = base.join("+") || "head";
        const place = made.get(branch) ?? { baseCommit, startCommit: start ?? baseCommit };
        made.set(branch, place);
        return { ok: true, path: `/places/${branch}`, branch, ...place };
      });
    },
    look: ({ place }) => {
      const keeps = place !== undefined && !sim.faults.strikes("work not kept");
      if (keeps) kept.set(place.branch, `kept of ${place.branch}`);
      const found = keeps ? { commit: `kept of ${place.branch}` } : { unseen: "it cannot be kept" };
      const seen = { changes: undefined, ...(place && found) };
      return later(sim.random.int(10, 500), () => seen);
    },
    copy: async () => ({ ok: false, reason: "nobody looks here" }),
    standsAt: async () => undefined,
    changes: async () => ({ ok: false, reason: "nobody looks here" }),
    runChanges: async () => ({ ok: false, reason: "nobody looks here" }),
    measure: async () => undefined,
    release: async ({ dispatchId, branch }, _, left) => {
      watch.exits.leaving("release-workspace", dispatchId);
      watch.exits.left("release-workspace", dispatchId);
      look(sim, () =>
        demand(!isAwaited(watch, dispatchId), "nobody works in a place that is put away", () => dispatchId),
      );
      const commit = kept.get(branch) ?? `left on ${branch}`;
      if (made.has(branch) && wasSent(watch, dispatchId)) await left(dispatchId, commit);
      await later(sim.random.int(1, 100), () => made.delete(branch));
    },
    survey: async () => ({ ok: true, branches: [], atRisk: [], merged: [] }),
    restore: () => {
      watch.exits.leaving("restore-branches", "");
      return later(sim.random.int(1, 500), () => ({ ok: true }));
    },
    tidy: async () => {},
  };
}

/** Where nobody was sent to, nothing is left. */
function wasSent({ journals }: Watch, dispatchId: string): boolean {
  const records = journals.get(pipelineOf(dispatchId)) ?? [];
  return records.some((record) => record.type === "dispatched" && record.dispatchId === dispatchId);
}

function isAwaited({ states }: Watch, dispatchId: string): boolean {
  const state = states.get(pipelineOf(dispatchId));
  return state !== undefined && activeAttempts(state).some(({ sent }) => sent.dispatchId === dispatchId);
}
