import { activeAttempts } from "@baton/kernel";
import type { Workspaces } from "@baton/runtime";
import { pipelineOf } from "@baton/runtime/parts";
import type { Checker } from "../checks/checker.ts";
import { inspect, type Sim } from "../sim.ts";
import { invariant } from "../violation.ts";

/**
 * Workspaces on a simulated disk: they outlive the hub. Preparing twice makes one, and none is released while an attempt
 * works in it.
 */
export function simulatedWorkspaces(
  sim: Sim,
  checker: Checker,
  later: <Value>(delayMs: number, work: () => Value) => Promise<Value>,
): Workspaces {
  const made = new Map<string, { readonly baseCommit: string; readonly startCommit: string }>();
  const kept = new Map<string, string>();
  return {
    prepare: ({ dispatchId, branch, base, start }) => {
      checker.durability.sending("prepare-workspace", dispatchId);
      const fails = sim.faults.strikes("place not made");
      return later(sim.random.int(10, 3_000), () => {
        if (fails) return { ok: false, reason: "the disk is full", fix: "free some space" };
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
    copy: async () => ({ ok: false, reason: "not simulated" }),
    standsAt: async () => undefined,
    changes: async () => ({ ok: false, reason: "not simulated" }),
    runChanges: async () => ({ ok: false, reason: "not simulated" }),
    measure: async () => undefined,
    release: async ({ dispatchId, branch }, _, left) => {
      checker.durability.sending("release-workspace", dispatchId);
      checker.durability.sent("release-workspace", dispatchId);
      inspect(sim, () =>
        invariant(!isAwaited(checker, dispatchId), "no workspace is released while in use", () => dispatchId),
      );
      const commit = kept.get(branch) ?? `left on ${branch}`;
      if (made.has(branch) && wasSent(checker, dispatchId)) await left(dispatchId, commit);
      await later(sim.random.int(1, 100), () => made.delete(branch));
    },
    survey: async () => ({ ok: true, branches: [], atRisk: [], merged: [] }),
    restore: () => {
      checker.durability.sending("restore-branches", "");
      return later(sim.random.int(1, 500), () => ({ ok: true }));
    },
    tidy: async () => {},
  };
}

/** Work is left only where an attempt was sent. */
function wasSent({ journals }: Checker, dispatchId: string): boolean {
  const records = journals.get(pipelineOf(dispatchId)) ?? [];
  return records.some((record) => record.type === "dispatched" && record.dispatchId === dispatchId);
}

function isAwaited({ states }: Checker, dispatchId: string): boolean {
  const state = states.get(pipelineOf(dispatchId));
  return state !== undefined && activeAttempts(state).some(({ sent }) => sent.dispatchId === dispatchId);
}
