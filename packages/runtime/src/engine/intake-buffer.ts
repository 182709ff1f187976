import { HubError } from "../ports/hub-error.ts";

/** Bytes of received input that is not durable yet; it waits in memory while the store is slow or away. */
export interface IntakeLimits {
  readonly bytes: number;
  readonly bytesPerTenant: number;
  /** Calls up to this size are always admitted: large calls must not cost others their leases. */
  readonly smallCallBytes: number;
  /** Messages on streams that are read and wait for admission; beyond this, their streams end. */
  readonly waitingBytes: number;
}

export const defaultIntakeLimits: IntakeLimits = {
  bytes: 256 * 1024 * 1024,
  bytesPerTenant: 128 * 1024 * 1024,
  smallCallBytes: 16 * 1024,
  waitingBytes: 64 * 1024 * 1024,
};

const retryAfterMs = 1_000;

/** Releases the admitted bytes. */
export type Leave = () => void;

interface WaitingMessage {
  readonly tenantId: string;
  readonly bytes: number;
  readonly enter: (leave: Leave) => void;
}

/**
 * Bounds the memory of inputs that are not durable yet.
 *
 * W1. A tenant has at most its share, and all tenants together at most the limit. A message that is larger than either is
 *     admitted when nothing else of the tenant, or of all tenants, is held.
 * W2. A call is admitted or refused at once. A message on a stream waits, within a limit of its own.
 */
export class IntakeBuffer {
  readonly #limits: IntakeLimits;
  readonly #ofTenants = new Map<string, number>();
  /** By tenant, in order of arrival: a tenant without share left does not block others. */
  readonly #waiting = new Map<string, WaitingMessage[]>();
  #bytes = 0;
  #waitingBytes = 0;

  constructor(limits: IntakeLimits = defaultIntakeLimits) {
    this.#limits = limits;
  }

  get heldBytes(): number {
    return this.#bytes + this.#waitingBytes;
  }

  /** Undefined when the limit is reached. */
  tryEnter(tenantId: string, bytes: number): Leave | undefined {
    // Earlier messages of the tenant go first.
    if (this.#waiting.has(tenantId) || !this.#hasRoom(tenantId, bytes)) return undefined;
    return this.#enter(tenantId, bytes);
  }

  /** Throws `HubError` when the limit is reached. Small calls are bounded by their number, at the border. */
  enter(tenantId: string, bytes: number): Leave {
    const isSmall = bytes <= this.#limits.smallCallBytes;
    const leave = isSmall ? this.#enter(tenantId, bytes) : this.tryEnter(tenantId, bytes);
    if (leave) return leave;
    throw full(`${this.#bytes} bytes are waiting to be stored`);
  }

  /** Waits for admission. Throws `HubError` when more than `maxBytes` wait already. */
  async waitToEnter(tenantId: string, bytes: number, maxBytes = this.#limits.waitingBytes): Promise<Leave> {
    const leave = this.tryEnter(tenantId, bytes);
    if (leave) return leave;
    if (this.#waitingBytes + bytes > maxBytes) throw full(`${this.heldBytes} bytes are waiting to be stored`);
    this.#waitingBytes += bytes;
    return new Promise((enter) => {
      const queue = this.#waiting.get(tenantId) ?? [];
      this.#waiting.set(tenantId, queue);
      queue.push({ tenantId, bytes, enter });
    });
  }

  #hasRoom(tenantId: string, bytes: number): boolean {
    const own = this.#ofTenants.get(tenantId) ?? 0;
    const { bytes: maxBytes, bytesPerTenant } = this.#limits;
    return (
      (own === 0 || own + bytes <= bytesPerTenant) && (this.#bytes === 0 || this.#bytes + bytes <= maxBytes)
    );
  }

  #enter(tenantId: string, bytes: number): Leave {
    this.#bytes += bytes;
    this.#ofTenants.set(tenantId, (this.#ofTenants.get(tenantId) ?? 0) + bytes);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#leave(tenantId, bytes);
    };
  }

  #leave(tenantId: string, bytes: number): void {
    this.#bytes -= bytes;
    const own = (this.#ofTenants.get(tenantId) ?? 0) - bytes;
    if (own > 0) this.#ofTenants.set(tenantId, own);
    else this.#ofTenants.delete(tenantId);
    for (const [waiting, queue] of this.#waiting) this.#admit(waiting, queue);
  }

  #admit(tenantId: string, queue: WaitingMessage[]): void {
    for (let first = queue[0]; first && this.#hasRoom(tenantId, first.bytes); first = queue[0]) {
      queue.shift();
      this.#waitingBytes -= first.bytes;
      first.enter(this.#enter(tenantId, first.bytes));
    }
    if (queue.length === 0) this.#waiting.delete(tenantId);
  }
}

function full(message: string): HubError {
  return new HubError("exhausted", "BATON-HUB-004", message, {
    fix: "try again after the time that is given, with less at a time",
    retryAfterMs,
  });
}
