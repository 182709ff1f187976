export { type EnvelopeInput, envelope } from "./envelope.ts";
export { HubDouble, type HubDoubleOptions, HubStream } from "./hub-double.ts";
export { Mailbox } from "./mailbox.ts";
export { assertPath, type ExpectedPath, type ExpectedTool } from "./path/assert-path.ts";
export type { AskedQuestion, PathAnswer, PathEdge, RunPath, ToolUse, VisitedNode } from "./path/path.ts";
export { pathOfAttempt, readPath } from "./path/read-path.ts";
export { followRun, runTask, type TestTask } from "./path/run-task.ts";
export type { TestHub } from "./path/test-client.ts";
export { type Run, type RunOptions, runAgent } from "./run-agent.ts";
