import type { Store } from "@baton/runtime";
import { withCommit } from "./hasty-store.ts";

/** Completes every command with the next commit, whether it was sent or not. */
export function completesEarly(store: Store): Store {
  let stored: readonly number[] = [];
  return withCommit(store, async (batch) => {
    const early = stored;
    stored = batch.transitions.flatMap(({ commands }) => commands.map(({ id }) => id));
    await store.commit({ ...batch, completedCommands: [...batch.completedCommands, ...early] });
  });
}

/** Completes unsent envelopes at the start of a hub, before any agent has reconnected. */
export function completesSendsAtStart(store: Store): Store {
  let found: readonly number[] = [];
  const completing = withCommit(store, async (batch) => {
    const early = found;
    found = [];
    await store.commit({ ...batch, completedCommands: [...batch.completedCommands, ...early] });
  });
  return new Proxy(completing, {
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
