/** Effects that keep to the rules of the hub: programs in its sandbox, and addresses through its URL guard. */
export type { CommandRun } from "./processes/run-command.ts";
export { CannotStart, type EnclosedProgram, runEnclosed, withEnclosed } from "./processes/run-enclosed.ts";
export { findSandbox, type NoSandbox, type SandboxChoice } from "./processes/sandbox/find-sandbox.ts";
export type { Sandbox, SandboxSettings } from "./processes/sandbox/sandbox.ts";
export { type UrlAnswer, urlCaller } from "./references/url/call-url.ts";
