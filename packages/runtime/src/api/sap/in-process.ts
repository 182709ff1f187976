import type { TaskEndpoint } from "@baton/protocols/sap";
import type { Caller } from "../../ports/caller.ts";
import { HubError } from "../../ports/hub-error.ts";
import type { Hub } from "../hub.ts";

/** Governed tasks of a hub in this process, submitted by one caller (U §10). */
export function inProcessTasks({ sap }: Pick<Hub, "sap">, caller: Caller): TaskEndpoint<AbortSignal> {
  return {
    submit: (task) => sap.submit(caller, task),
    result: (taskId) => sap.result(caller, taskId),
    cancel: (taskId, reason) => sap.cancel(caller, taskId, reason),
    transcript: (taskId) => sap.transcript(caller, taskId),
    async *follow(taskId, after, signal) {
      const results = await sap.follow(caller, taskId, after, signal);
      if (Symbol.asyncIterator in results) return yield* results;
      const { message, details } = results.error;
      const fix = String(details?.fix);
      throw new HubError("not-found", String(details?.code), message, { fix });
    },
  };
}
