export { type Form, forms } from "./limits.ts";
export { describeRun } from "./report.ts";
export { type ChaosOptions, type ChaosRun, runChaos } from "./run-chaos.ts";
