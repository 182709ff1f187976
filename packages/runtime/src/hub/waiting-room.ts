import { HubError } from "./hub-error.ts";

/** Bytes of what has come in and is not durable yet; while the store is slow or away, it all waits in memory. */
export interface RoomLimits {
  readonly bytes: number;
  readonly bytesPerTenant: number;
  /** A call of up to this size is always let in: leases must not end because others say much. */
  readonly smallCallBytes: number;
  /** Of messages on streams that are read already and wait for room; beyond, their streams are ended. */
  readonly atTheDoorBytes: number;
}

export const defaultRoomLimits: RoomLimits = {
  bytes: 256 * 1024 * 1024,
  bytesPerTenant: 128 * 1024 * 1024,
  smallCallBytes: 16 * 1024,
  atTheDoorBytes: 64 * 1024 * 1024,
};

const retryAfterMs = 1_000;

/** Leaves the place that was taken. */
export type Leave = () => void;

interface AtTheDoor {
  readonly tenantId: string;
  readonly bytes: number;
  readonly enter: (leave: Leave) => void;
}

/**
 * What waits in memory to be decided and stored, counted by its size.
 *
 * W1. No tenant has more than its share, and all together no more than there is room for. A message that is larger than
 *     that is let in when nothing else is there.
 * W2. A call is let in or refused at once. A message on a stream waits at the door, where there is little room too.
 */
export class WaitingRoom {
  readonly #limits: RoomLimits;
  readonly #ofTenants = new Map<string, number>();
  /** By tenant, in the order in which they came: who has no share left holds up nobody else. */
  readonly #atTheDoor = new Map<string, AtTheDoor[]>();
  #bytes = 0;
  #atTheDoorBytes = 0;

  constructor(limits: RoomLimits = defaultRoomLimits) {
    this.#limits = limits;
  }

  get heldBytes(): number {
    return this.#bytes + this.#atTheDoorBytes;
  }

  /** Undefined when there is no room now. */
  tryEnter(tenantId: string, bytes: number): Leave | undefined {
    // Whoever came before goes first.
    if (this.#atTheDoor.has(tenantId) || !this.#hasRoom(tenantId, bytes)) return undefined;
    return this.#enter(tenantId, bytes);
  }

  /** Throws `HubError` when there is no room. How many small ones there are, the border bounds by their number. */
  enter(tenantId: string, bytes: number): Leave {
    const isSmall = bytes <= this.#limits.smallCallBytes;
    const leave = isSmall ? this.#enter(tenantId, bytes) : this.tryEnter(tenantId, bytes);
    if (leave) return leave;
    throw full(`${this.#bytes} bytes are waiting to be stored`);
  }

  /** Waits for room. Throws `HubError` when more than `most` bytes wait for it. */
  async waitToEnter(tenantId: string, bytes: number, most = this.#limits.atTheDoorBytes): Promise<Leave> {
    const leave = this.tryEnter(tenantId, bytes);
    if (leave) return leave;
    if (this.#atTheDoorBytes + bytes > most) throw full(`${this.heldBytes} bytes are waiting to be stored`);
    this.#atTheDoorBytes += bytes;
    return new Promise((enter) => {
      const queue = this.#atTheDoor.get(tenantId) ?? [];
      this.#atTheDoor.set(tenantId, queue);
      queue.push({ tenantId, bytes, enter });
    });
  }

  #hasRoom(tenantId: string, bytes: number): boolean {
    const own = this.#ofTenants.get(tenantId) ?? 0;
    const { bytes: most, bytesPerTenant } = this.#limits;
    return (own === 0 || own + bytes <= bytesPerTenant) && (this.#bytes === 0 || this.#bytes + bytes <= most);
  }

  #enter(tenantId: string, bytes: number): Leave {
    this.#bytes += bytes;
    this.#ofTenants.set(tenantId, (this.#ofTenants.get(tenantId) ?? 0) + bytes);
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      this.#leave(tenantId, bytes);
    };
  }

  #leave(tenantId: string, bytes: number): void {
    this.#bytes -= bytes;
    const own = (this.#ofTenants.get(tenantId) ?? 0) - bytes;
    if (own > 0) this.#ofTenants.set(tenantId, own);
    else this.#ofTenants.delete(tenantId);
    for (const [waiting, queue] of this.#atTheDoor) this.#letIn(waiting, queue);
  }

  #letIn(tenantId: string, queue: AtTheDoor[]): void {
    for (let first = queue[0]; first && this.#hasRoom(tenantId, first.bytes); first = queue[0]) {
      queue.shift();
      this.#atTheDoorBytes -= first.bytes;
      first.enter(this.#enter(tenantId, first.bytes));
    }
    if (queue.length === 0) this.#atTheDoor.delete(tenantId);
  }
}

function full(message: string): HubError {
  return new HubError("exhausted", "BATON-HUB-004", message, {
    fix: "try again after the time that is given, with less at a time",
    retryAfterMs,
  });
}
