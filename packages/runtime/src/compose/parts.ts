/** The parts of a hub, for the simulation: it drives them itself, and reads the store. */

export type { FromAgent } from "../agents/agent-reports.ts";
export { defaultKernel, type Kernel } from "../engine/kernel.ts";
export { replayJournal } from "../engine/state/pipelines.ts";
export { readCommand, readRecords } from "../journal/codec.ts";
export { ContentFinder } from "../journal/contents.ts";
export type { Address } from "../ports/agent-address.ts";
export { pipelineOf, storedKinds } from "../ports/stored-command.ts";
export { type ComposedHub, composeHub } from "./compose-hub.ts";
