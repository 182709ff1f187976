import type { Store } from "@baton/runtime";
import { withCommit } from "./hasty-store.ts";

/** Crosses off every command with the first commit after the one that stored it, whether it has left by then or not. */
export function crossesOffEarly(store: Store): Store {
  let stored: readonly number[] = [];
  return withCommit(store, async (batch) => {
    const early = stored;
    stored = batch.transitions.flatMap(({ commands }) => commands.map(({ id }) => id));
    await store.commit({ ...batch, completedCommands: [...batch.completedCommands, ...early] });
  });
}

/** Crosses off the envelopes that a hub finds unsent when it starts, before any agent has come back to take them. */
export function crossesOffSendsAtStart(store: Store): Store {
  let found: readonly number[] = [];
  const crossing = withCommit(store, async (batch) => {
    const early = found;
    found = [];
    await store.commit({ ...batch, completedCommands: [...batch.completedCommands, ...early] });
  });
  return new Proxy(crossing, {
    get(target, name) {
      if (name !== "outbox") return Reflect.get(target, name);
      return async () => {
        const commands = await store.outbox();
        found = commands.flatMap(({ id, text }) => (JSON.parse(text).content.type === "send" ? [id] : []));
        return commands;
      };
    },
  });
}
