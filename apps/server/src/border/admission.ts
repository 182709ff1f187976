import { Code } from "@connectrpc/connect";
import { refuse } from "../errors/refuse.ts";
import { type ServerLimits, settingOf } from "../limits.ts";

/** A watcher of events is a stream as well. */
type Kind = "call" | "stream" | "watcher";

/** What is counted together, and up to which limit. */
interface Place {
  readonly key: string;
  readonly limit: keyof ServerLimits;
  readonly whose: string;
  readonly what: string;
}

const whats = { call: "calls at once", stream: "open streams", watcher: "watchers of events" };

const perTenant: Readonly<Record<Kind, Omit<Place, "key">>> = {
  call: { limit: "callsInFlightPerTenant", whose: "this tenant", what: whats.call },
  stream: { limit: "openStreamsPerTenant", whose: "this tenant", what: whats.stream },
  watcher: { limit: "eventWatchersPerTenant", whose: "this tenant", what: whats.watcher },
};

const inAll: Readonly<Record<Kind, Omit<Place, "key">>> = {
  call: { limit: "callsInFlight", whose: "the server", what: whats.call },
  stream: { limit: "openStreams", whose: "the server", what: whats.stream },
  watcher: { limit: "eventWatchers", whose: "the server", what: whats.watcher },
};

/**
 * How much is under way, in all and for each tenant. What comes beyond is refused at once, before its body is read: a
 * queue here would only hold memory for callers who have given up.
 */
export class Admission {
  readonly #limits: ServerLimits;
  readonly #counts = new Map<string, number>();

  constructor(limits: ServerLimits) {
    this.#limits = limits;
  }

  /** Takes a place, and gives the function that leaves it. */
  enter(kind: Kind, tenantId: string): () => void {
    const places = this.#places(kind, tenantId);
    const full = places.find(({ key, limit }) => (this.#counts.get(key) ?? 0) >= this.#limits[limit]);
    if (full) throw tooMany(full, this.#limits);
    for (const { key } of places) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      for (const { key } of places) this.#leave(key);
    };
  }

  /** The places of a kind. The tenant's first, so that its own excess is told as its own. */
  #places(kind: Kind, tenantId: string): readonly Place[] {
    const kinds = kind === "watcher" ? (["stream", "watcher"] as const) : [kind];
    return [
      ...kinds.map((one): Place => ({ key: `${one} ${tenantId}`, ...perTenant[one] })),
      ...kinds.map((one): Place => ({ key: one, ...inAll[one] })),
    ];
  }

  #leave(key: string): void {
    const count = (this.#counts.get(key) ?? 0) - 1;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }
}

function tooMany({ whose, what, limit }: Place, limits: ServerLimits) {
  const setting = settingOf(limit);
  return refuse({
    code: Code.ResourceExhausted,
    id: "BATON-SERVER-003",
    message: `${whose} has ${limits[limit]} ${what}, and takes no more (limits.${setting})`,
    fix: "try again after the time that is given; docs/reference/server.md lists the limits",
    retryAfterMs: limits.retryAfterMs,
  });
}
