import type { RecordOf } from "../../kernel.ts";
import { noBranches } from "./branches.ts";
import type { Memory } from "./step.ts";

/** Begins with the pipeline as it was submitted. Places are those of a plan that keeps the order it was given. */
export function rememberPipeline(
  { stages, policy }: RecordOf<"created">,
  indexOf: ReadonlyMap<string, number>,
): Memory {
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
    excess: { tokens: 0, costMicroUsd: 0, steps: 0 },
    auditIds: new Set(),
  };
}

const nothing = { tokens: 0, costMicroUsd: 0, steps: 0 };

/** As plainly as possible: whoever has it among its parents, and so on until nobody is added. */
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
