import { Code } from "@connectrpc/connect";
import type { ServerLimits } from "../limits.ts";
import { refuse } from "../rpc/refuse.ts";

type Kind = "call" | "stream" | "watcher";

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
    const full = places.find(([key, most]) => (this.#counts.get(key) ?? 0) >= most);
    if (full) throw tooMany(kind, full[2], full[1], this.#limits.retryAfterMs);
    for (const [key] of places) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      for (const [key] of places) this.#leave(key);
    };
  }

  /** The places of a kind: key, most, whose. The tenant's first, so that its own excess is told as its own. */
  #places(kind: Kind, tenantId: string): readonly (readonly [string, number, string])[] {
    const limits = this.#limits;
    if (kind === "call") {
      return [
        [`call ${tenantId}`, limits.callsInFlightPerTenant, "this tenant"],
        ["call", limits.callsInFlight, "the server"],
      ];
    }
    const streams = [
      [`stream ${tenantId}`, limits.openStreamsPerTenant, "this tenant"],
      ["stream", limits.openStreams, "the server"],
    ] as const;
    return kind === "stream" ? streams : [...streams, ["watcher", limits.eventWatchers, "the server"]];
  }

  #leave(key: string): void {
    const count = (this.#counts.get(key) ?? 0) - 1;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }
}

function tooMany(kind: Kind, whose: string, most: number, retryAfterMs: number) {
  const what = { call: "calls at once", stream: "open streams", watcher: "watchers of events" }[kind];
  return refuse({
    code: Code.ResourceExhausted,
    id: "BATON-SERVER-003",
    message: `${whose} has ${most} ${what}, and takes no more`,
    fix: "try again after the time that is given; docs/reference/server.md lists the limits",
    retryAfterMs,
  });
}
