import { WatchEventsRequestSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import type { Checker } from "../checks/checker.ts";
import type { HubProcess } from "../hub/hub-process.ts";
import type { HubSupervisor } from "../hub/hub-supervisor.ts";
import type { Sim } from "../sim.ts";
import { tenantId } from "../sim.ts";

/** Follows all events, and resumes after the hub or its store was unavailable. */
export class Watcher {
  readonly #sim: Sim;
  readonly #checker: Checker;
  #last = 0n;

  constructor(sim: Sim, supervisor: HubSupervisor, checker: Checker) {
    this.#sim = sim;
    this.#checker = checker;
    supervisor.onBegin((hubProcess) => void this.#look(hubProcess));
  }

  get last(): bigint {
    return this.#last;
  }

  async #look(hubProcess: HubProcess): Promise<void> {
    const request = create(WatchEventsRequestSchema, { afterSequence: this.#last });
    const { signal } = new AbortController();
    try {
      for await (const { message } of hubProcess.hub.watchers.watch(tenantId, request, signal)) {
        if (hubProcess.isOver) return;
        if (message.case !== "record") continue;
        const { sequence } = message.value;
        this.#checker.durability.publishing(this.#last, sequence);
        this.#last = sequence;
        this.#checker.observed(message.value);
      }
    } catch {
      // The store was unavailable.
    }
    this.#sim.clock.after(1_000, () => {
      if (!hubProcess.isOver) void this.#look(hubProcess);
    });
  }
}
