/** Submits work to a hub, and waits for it across reconnects and restarts of the hub. */
export { ClientError, type ClientErrorCode } from "./client-error.ts";
export { connect } from "./connect.ts";
export type { ConnectOptions, Hub, Question, Run, RunOptions, RunResult, WaitOptions } from "./types.ts";
