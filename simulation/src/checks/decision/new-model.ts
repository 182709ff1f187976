import type { RecordOf } from "../../kernel.ts";
import { noBranches } from "./branches.ts";
import type { Model } from "./step.ts";

/** The model of a pipeline as submitted. Places are those of the plan, which keeps the submitted order. */
export function newModel(
  { stages, policy }: RecordOf<"created">,
  indexOf: ReadonlyMap<string, number>,
): Model {
  const parents = stages.map(() => [] as number[]);
  for (const { stageId, config } of stages) {
    const place = indexOf.get(stageId) ?? -1;
    parents[place] = (config?.dependsOnStages ?? []).map((id) => indexOf.get(id) ?? -1);
  }
  const descendants = stages.map((_, place) => descendantsOf(place, parents));
  const required = new Set(
    stages.flatMap(({ stageId, config }) =>
      policy?.requireAllStages || config?.required ? (indexOf.get(stageId) ?? []) : [],
    ),
  );
  return {
    policy,
    descendants,
    wanted: descendants.map((below, place) => [place, ...below].some((one) => required.has(one))),
    ends: new Set(),
    past: [],
    branches: noBranches(),
    timers: new Map(),
    dispatched: new Set(),
    counted: new Set(),
    rounds: stages.map(() => 0),
    completedRound: stages.map(() => 0),
    retries: 0,
    rejections: 0,
    ledger: { spent: nothing, held: new Map(), heldTotal: nothing },
    early: new Map(),
    excess: { tokens: 0, costMicroUsd: 0, steps: 0 },
    auditIds: new Set(),
  };
}

const nothing = { tokens: 0, costMicroUsd: 0, steps: 0 };

/** As plainly as possible: repeats until no child of a found stage is missing. */
function descendantsOf(place: number, parents: readonly (readonly number[])[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const [child, its] of parents.entries()) {
      if (its.some((parent) => parent === place || found.has(parent))) found.add(child);
    }
  }
  return found;
}
