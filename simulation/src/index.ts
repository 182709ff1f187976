export { type Figures, noFigures } from "./figures.ts";
export { type Kernel, kernel } from "./kernel.ts";
export { describeFailure, describeFigures, describeRun } from "./report.ts";
export { type RunAll, runSeeds } from "./run-seeds.ts";
export { type Simulated, simulate } from "./simulate.ts";
