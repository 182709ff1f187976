/** The holder of a lease. Only the calendar changes when the lease ends. */
export interface Leased {
  leaseUntilMs: number;
}

export interface Leases<Holder extends Leased> {
  /** Starts a lease, or moves its end. */
  renew(holder: Holder, leaseUntilMs: number): void;
  end(holder: Holder): void;
  /** All holders whose lease has run out by `nowMs`. */
  lapsed(nowMs: number): readonly Holder[];
}

const pageMs = 1_000;

/** Leases by the second in which they end: finding the ones that ran out does not visit the others. */
export class LeaseCalendar<Holder extends Leased> implements Leases<Holder> {
  readonly #pages = new Map<number, Set<Holder>>();
  /** No page is before this one. */
  #firstPage = Number.POSITIVE_INFINITY;

  renew(holder: Holder, leaseUntilMs: number): void {
    this.end(holder);
    holder.leaseUntilMs = leaseUntilMs;
    const page = pageOf(holder);
    const holders = this.#pages.get(page);
    if (holders) holders.add(holder);
    else this.#pages.set(page, new Set([holder]));
    this.#firstPage = Math.min(this.#firstPage, page);
  }

  end(holder: Holder): void {
    const page = pageOf(holder);
    const holders = this.#pages.get(page);
    if (!holders?.delete(holder) || holders.size > 0) return;
    this.#pages.delete(page);
    if (page === this.#firstPage) this.#firstPage = this.#findFirstPage();
  }

  lapsed(nowMs: number): readonly Holder[] {
    if (this.#firstPage * pageMs > nowMs) return [];
    const found: Holder[] = [];
    for (const [page, holders] of this.#pages) {
      if (page * pageMs > nowMs) continue;
      for (const holder of holders) if (holder.leaseUntilMs <= nowMs) found.push(holder);
    }
    return found;
  }

  #findFirstPage(): number {
    let first = Number.POSITIVE_INFINITY;
    for (const page of this.#pages.keys()) first = Math.min(first, page);
    return first;
  }
}

function pageOf({ leaseUntilMs }: Leased): number {
  return Math.floor(leaseUntilMs / pageMs);
}
