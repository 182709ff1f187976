import type { Leased, Leases } from "../lease-calendar.ts";

/** The plain twin of `LeaseCalendar`: a set that is scanned for every question. */
export class PlainCalendar<Holder extends Leased> implements Leases<Holder> {
  readonly #holders = new Set<Holder>();

  renew(holder: Holder, leaseUntilMs: number): void {
    holder.leaseUntilMs = leaseUntilMs;
    this.#holders.add(holder);
  }

  end(holder: Holder): void {
    this.#holders.delete(holder);
  }

  lapsed(nowMs: number): readonly Holder[] {
    return [...this.#holders].filter(({ leaseUntilMs }) => leaseUntilMs <= nowMs);
  }
}
