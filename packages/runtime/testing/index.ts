/** For tests of the hub: a hub in memory, agents without a network, a store that fails, a virtual clock. */
export { CommitQueue } from "../src/stores/commit-queue.ts";
export { calm, eventually, settles } from "./eventually.ts";
export { firstLine } from "./first-line.ts";
export { HookReceiver, isSignedBy, type ReceivedHook } from "./hook-receiver.ts";
export { type Life, Lives } from "./lives.ts";
export { dispatchOf, helloOf, silent, TestAgent, type TestAgentOptions } from "./test-agent.ts";
export {
  ada,
  ended,
  noReferences,
  noVerifier,
  planOf,
  reaches,
  read,
  refusalOf,
  submit,
  task,
  testHub,
} from "./test-hub.ts";
export { noRoom, TestStore } from "./test-store.ts";
export { VirtualClock } from "./virtual-clock.ts";
