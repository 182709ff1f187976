/** What a hub is made of, for those who drive it themselves: the simulation, and whoever measures it. */

export type { AgentDesk, FromAgent } from "../agents/agent-desk.ts";
export type { AttachedAgents } from "../agents/attached/attach.ts";
export type { Address, Switchboard } from "../agents/switchboard.ts";
export { type ComposedHub, composeHub } from "../hub/compose-hub.ts";
export { readCommand, readRecords } from "../journal/codec.ts";
export { ContentFinder } from "../journal/contents.ts";
export { type Driver, pipelineOf } from "./driver.ts";
export { type Kernel, usualKernel } from "./kernel.ts";
export { replayJournal } from "./pipelines.ts";
export type { Taken } from "./work.ts";
