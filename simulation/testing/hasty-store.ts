import type { Batch, Store } from "@baton/runtime";

/** Acknowledges a batch before it is stored. */
export function answersAtOnce(store: Store): Store {
  return withCommit(store, async (batch) => {
    store.commit(batch).catch(() => {});
  });
}

/** Acknowledges every tenth batch without storing it. */
export function forgetsSome(store: Store): Store {
  let commits = 0;
  return withCommit(store, async (batch) => {
    if (++commits % 10 !== 0) await store.commit(batch);
  });
}

/** The same store with another `commit`. */
export function withCommit(store: Store, commit: (batch: Batch) => Promise<void>): Store {
  return new Proxy(store, {
    get(target, name) {
      if (name === "commit") return commit;
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}
