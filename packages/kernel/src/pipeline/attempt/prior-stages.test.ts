import { ContextPropagationMode } from "@baton/contract";
import { expect, it } from "vitest";
import { stages } from "../../../testing/pipelines.ts";
import { Run } from "../../../testing/run.ts";
import { priorStages } from "./prior-stages.ts";

const contextPropagation = { mode: ContextPropagationMode.CUMULATIVE };

it("[DIS-10] the nearest stage is the fewest dependencies away, then the one that completed last", () => {
  const run = new Run({
    stages: stages({
      early: { dependsOnStages: [] },
      long: { dependsOnStages: [] },
      longer: { dependsOnStages: ["long"] },
      aside: { dependsOnStages: [] },
      last: { dependsOnStages: ["early", "longer"], contextPropagation },
    }),
  });
  for (const id of ["early", "long", "longer"]) {
    run.pass(1_000);
    run.answer(id);
  }
  const state = run.state;
  if (!state) throw new Error("the run has a state");
  const nearest = () => priorStages(run.state ?? state, state.plan.indexOf.get("last") ?? -1);
  expect(nearest().map(({ stageId }) => stageId)).toEqual(["longer", "early", "long"]);
  run.answer("aside");
  expect(nearest().map(({ stageId }) => stageId)).toEqual(["longer", "early", "long", "aside"]);
});
