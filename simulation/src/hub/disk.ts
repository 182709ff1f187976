import { openMemoryStore, type Store, StoreUnavailable } from "@baton/runtime";

/** What outlives the hub: everything that was committed. It may be away for a while, whoever asks. */
export class Disk {
  readonly store: Store = openMemoryStore();
  awayUntilMs = 0;
}

/** The store does not work, and may work later. */
export function storeAway(what: string): StoreUnavailable {
  return new StoreUnavailable("BATON-STORE-006", what, { fix: "wait", mayPass: true });
}
