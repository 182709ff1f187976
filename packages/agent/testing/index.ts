export { type EnvelopeInput, envelope } from "./envelope.ts";
export { HubDouble, type HubDoubleOptions, HubStream } from "./hub-double.ts";
export { Mailbox } from "./mailbox.ts";
export { type Run, type RunOptions, runAgent } from "./run-agent.ts";
