/** What a hub is made of, for those who drive it themselves. The simulation does, and reads what was stored. */

export type { Address } from "../agents/address.ts";
export type { FromAgent } from "../agents/agent-desk.ts";
export { type ComposedHub, composeHub } from "../hub/compose-hub.ts";
export { readCommand, readRecords } from "../journal/codec.ts";
export { ContentFinder } from "../journal/contents.ts";
export { type Kernel, usualKernel } from "./kernel.ts";
export { pipelineOf, storedKinds } from "./order.ts";
export { replayJournal } from "./pipelines.ts";
