import { Code } from "@connectrpc/connect";
import { refuse } from "../errors/refuse.ts";
import { type ServerLimits, settingOf } from "../limits.ts";

/** A watcher of events counts as a stream as well. */
type Kind = "call" | "stream" | "watcher";

/** A counter and its limit. */
interface Quota {
  readonly key: string;
  readonly limit: keyof ServerLimits;
  readonly owner: string;
  readonly unit: string;
}

const units = { call: "concurrent calls", stream: "open streams", watcher: "watchers of events" };
const serverLimits = { call: "callsInFlight", stream: "openStreams", watcher: "eventWatchers" } as const;

/**
 * Limits concurrent calls and streams, in total and per tenant. Refuses at once, before the body is read: a queue would hold
 * memory for callers that have given up.
 */
export class Admission {
  readonly #limits: ServerLimits;
  readonly #counts = new Map<string, number>();

  constructor(limits: ServerLimits) {
    this.#limits = limits;
  }

  /** Admits a call, and returns the function that releases it. */
  enter(kind: Kind, tenantId: string): () => void {
    const quotas = quotasOf(kind, tenantId);
    const full = quotas.find(({ key, limit }) => (this.#counts.get(key) ?? 0) >= this.#limits[limit]);
    if (full) throw tooMany(full, this.#limits);
    for (const { key } of quotas) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      for (const { key } of quotas) this.#release(key);
    };
  }

  #release(key: string): void {
    const count = (this.#counts.get(key) ?? 0) - 1;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }
}

/** The tenant's quotas come first, so that the error names its own excess. */
function quotasOf(kind: Kind, tenantId: string): readonly Quota[] {
  const kinds = kind === "watcher" ? (["stream", "watcher"] as const) : [kind];
  const quotas = kinds.map((one) => ({ key: one, limit: serverLimits[one], unit: units[one] }));
  return [
    ...quotas.map((quota) => ({
      ...{ key: `${quota.key} ${tenantId}`, limit: `${quota.limit}PerTenant` as const },
      ...{ owner: "this tenant", unit: quota.unit },
    })),
    ...quotas.map((quota) => ({ ...quota, owner: "the server" })),
  ];
}

function tooMany({ owner, unit, limit }: Quota, limits: ServerLimits) {
  const setting = settingOf(limit);
  return refuse({
    code: Code.ResourceExhausted,
    id: "BATON-SERVER-003",
    message: `${owner} has reached the limit of ${limits[limit]} ${unit} (limits.${setting})`,
    fix: "try again after the given time; docs/reference/server.md lists the limits",
    retryAfterMs: limits.retryAfterMs,
  });
}
