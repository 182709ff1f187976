export { anyHappening, anyPipeline, type Happening, inputFor } from "./any-run.ts";
export { brief } from "./brief.ts";
export { type TestInstance, testFleet } from "./fleet.ts";
export { brokenInvariants } from "./invariants.ts";
export { stages, submission, type TestPipeline, testTask } from "./pipelines.ts";
export { resultFor } from "./results.ts";
export { ada, Run } from "./run.ts";
export { arrowsOf, movesOf } from "./transitions.ts";
export { startMs, testPolicy, testWorld } from "./world.ts";
