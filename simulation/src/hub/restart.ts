import { type Sim, write } from "../sim.ts";
import { startTimer } from "./carry-out.ts";
import type { Hub } from "./hub.ts";

/** After a crash the hub is away for a while, then comes back from its records alone. It may crash on the way. */
export function comesBack(hub: Hub, sim: Sim): void {
  hub.onCrash = () => sim.clock.after(sim.random.int(50, 8_000), () => restart(hub));
}

export function restart(hub: Hub): void {
  const { sim, store, kernel } = hub;
  hub.up = true;
  hub.life++;
  hub.watch.restarting(hub.states);
  hub.states.clear();
  for (const [pipelineId, { records }] of store.journals) {
    const state = records.reduce<ReturnType<typeof kernel.evolve> | undefined>(kernel.evolve, undefined);
    if (state) hub.states.set(pipelineId, state);
  }
  hub.fleetDesk.reset();
  hub.fleetDesk.recover();
  write(sim, `hub: back, ${store.outbox.size} commands to do again, ${store.timers.size} timers`);
  hub.fleetDesk.startTicking();
  for (const key of store.timers.keys()) startTimer(hub, key);
  hub.alive(() => {
    for (const entry of [...store.outbox.values()]) hub.perform(entry, true);
  });
}
