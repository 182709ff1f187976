import { WatchEventsRequestSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import type { Watch } from "../checks/checker.ts";
import type { Life } from "../hub/hub-process.ts";
import type { Lives } from "../hub/hub-supervisor.ts";
import type { Sim } from "../sim.ts";
import { tenantId } from "../sim.ts";

/** Somebody who watches all that happens, and goes on where it was when the hub or its store has been away. */
export class Watcher {
  readonly #sim: Sim;
  readonly #watch: Watch;
  #last = 0n;

  constructor(sim: Sim, lives: Lives, watch: Watch) {
    this.#sim = sim;
    this.#watch = watch;
    lives.onBegin((life) => void this.#look(life));
  }

  /** The last event it has seen. */
  get last(): bigint {
    return this.#last;
  }

  async #look(life: Life): Promise<void> {
    const request = create(WatchEventsRequestSchema, { afterSequence: this.#last });
    const { signal } = new AbortController();
    try {
      for await (const { message } of life.hub.watchers.watch(tenantId, request, signal)) {
        if (life.isOver) return;
        if (message.case !== "record") continue;
        const { sequence } = message.value;
        this.#watch.exits.showing(this.#last, sequence);
        this.#last = sequence;
        this.#watch.observed(message.value);
      }
    } catch {
      // The store was away when it was to be read.
    }
    this.#sim.clock.after(1_000, () => {
      if (!life.isOver) void this.#look(life);
    });
  }
}
