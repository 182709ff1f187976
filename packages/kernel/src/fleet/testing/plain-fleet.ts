import type { FleetRecord, HeartbeatTaken } from "../state/record.ts";

interface PlainInstance {
  readonly last: HeartbeatTaken;
  /** Its tasks of other hubs at that time. */
  readonly others: number;
  readonly live: boolean;
}

/** The plain twin of the fleet: the last heartbeats, scanned and sorted for every question. */
export class PlainFleet {
  readonly #instances = new Map<string, PlainInstance>();
  readonly #dispatches = new Map<string, string>();
  /** By instance: the origin of its quarantine. */
  readonly #quarantined = new Map<string, string>();

  fold(record: FleetRecord): void {
    const key = "instanceId" in record ? `${record.packId}/${record.instanceId}` : "";
    const instance = this.#instances.get(key);
    if (record.kind === "heartbeat-taken") {
      const others = Math.max(0, record.vitals.activeTasks - this.#sentTo(key));
      this.#instances.set(key, { last: record, others, live: true });
    }
    if (record.kind === "lease-ended" && instance) this.#instances.set(key, { ...instance, live: false });
    if (record.kind === "lease-ended") for (const id of record.lostDispatchIds) this.#dispatches.delete(id);
    if (record.kind === "instance-forgotten") {
      this.#instances.delete(key);
      this.#quarantined.delete(key);
    }
    if (record.kind === "dispatched") this.#dispatches.set(record.dispatchId, key);
    if (record.kind === "settled") this.#dispatches.delete(record.dispatchId);
    if (record.kind === "quarantined") this.#quarantined.set(key, key);
    if (record.kind === "conduct-inherited" && record.conduct.inheritedFrom !== undefined)
      this.#quarantined.set(key, `${record.packId}/${record.conduct.inheritedFrom}`);
    if (record.kind === "restored")
      for (const [name, origin] of this.#quarantined)
        if (name === key || origin === key) this.#quarantined.delete(name);
  }

  #sentTo(key: string): number {
    return [...this.#dispatches.values()].filter((at) => at === key).length;
  }

  quarantined(): readonly string[] {
    return [...this.#quarantined.keys()].sort();
  }

  /** Without inherited quarantine, which is not stored. */
  quarantinedThemselves(): readonly string[] {
    return this.quarantined().filter((name) => this.#quarantined.get(name) === name);
  }

  activeOfPack(packId: string): number {
    return [...this.#dispatches.values()].filter((key) => key.startsWith(`${packId}/`)).length;
  }

  /** Live instances by version and tools, best first, as `id health active/max latency`. */
  profiles(
    packId: string,
    nowMs: number,
  ): Record<string, { best: string[]; counts: Record<string, number> }> {
    const live = [...this.#instances.entries()].filter(
      ([, { last, live }]) => live && last.packId === packId && last.leaseUntilMs > nowMs,
    );
    const rows = live.map(([key, { last, others }]) => {
      const { maxTasks, avgLatencyMs, health } = last.vitals;
      return {
        group: JSON.stringify([last.packVersion, last.availableTools, last.degradedTools]),
        id: last.instanceId,
        health: this.#quarantined.has(key) ? "QUARANTINED" : health,
        active: this.#sentTo(key) + others,
        max: maxTasks,
        latency: avgLatencyMs,
      };
    });
    const ranks = ["HEALTHY", "DEGRADED", "UNHEALTHY", "QUARANTINED"];
    rows.sort(
      (a, b) =>
        ranks.indexOf(a.health) - ranks.indexOf(b.health) ||
        a.active * b.max - b.active * a.max ||
        a.latency - b.latency ||
        (a.id < b.id ? -1 : 1),
    );
    const found: Record<string, { best: string[]; counts: Record<string, number> }> = {};
    for (const { group, id, health, active, max, latency } of rows) {
      found[group] ??= { best: [], counts: { healthy: 0, degraded: 0, unhealthy: 0, quarantined: 0 } };
      const counts = found[group].counts;
      counts[health.toLowerCase()] = (counts[health.toLowerCase()] ?? 0) + 1;
      if (ranks.indexOf(health) < 2) found[group].best.push(`${id} ${health} ${active}/${max} ${latency}`);
    }
    return found;
  }
}
