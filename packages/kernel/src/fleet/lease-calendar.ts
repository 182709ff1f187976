/** What has a lease that ends. Only the calendar changes when. */
export interface Leased {
  leaseUntilMs: number;
}

const pageMs = 1_000;

/** Who holds a lease, by the second in which it ends: the ones that ran out are found without asking the others. */
export class LeaseCalendar<Holder extends Leased> {
  readonly #pages = new Map<number, Set<Holder>>();
  /** No page is before this one. */
  #firstPage = Number.POSITIVE_INFINITY;

  /** Begins a lease, or moves the end of the one there is. */
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

  /** All whose lease has run out by `nowMs`. */
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
