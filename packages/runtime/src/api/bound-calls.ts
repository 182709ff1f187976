import type { IntakeBuffer } from "../engine/intake-buffer.ts";
import { sizeOf } from "../lib/memory-size.ts";
import type { Caller } from "../ports/caller.ts";
import type { Hub } from "./hub.ts";

/** Calls that write, which wait in memory until their transaction is stored. */
const storingCalls = [
  "submitTask",
  "pausePipeline",
  "resumePipeline",
  "abortPipeline",
  "changeLimits",
  "labelPipeline",
  "skipStage",
  "overrideStage",
  "cancelStage",
  "rewindPipeline",
  "rerunPipeline",
  "reviewStage",
  "resolveEscalation",
  "stopTenant",
  "startTenant",
  "raiseSpendLimit",
  "registerAgent",
  "sendHeartbeat",
  "reportStep",
  "pinTools",
  "acceptTool",
  "restoreAgent",
] as const;

type StoringCalls = Pick<Hub, (typeof storingCalls)[number]>;
type StoringCall = (caller: Caller, request: never) => Promise<unknown>;

/** Rejects calls that write when the intake buffer is full. */
export function boundCalls(calls: StoringCalls, buffer: IntakeBuffer): StoringCalls {
  const buffered =
    (call: StoringCall): StoringCall =>
    async (caller, request) => {
      const leave = buffer.enter(caller.tenantId, sizeOf(request));
      return call(caller, request).finally(leave);
    };
  return Object.fromEntries(
    storingCalls.map((name) => [name, buffered(calls[name])]),
  ) as unknown as StoringCalls;
}
