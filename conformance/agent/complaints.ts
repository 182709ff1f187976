/** What the agent said against the contract, kept until a case takes it as its own. */
export class Complaints {
  #kept: string[] = [];

  add(complaint: string): void {
    this.#kept.push(complaint);
  }

  take(): readonly string[] {
    const taken = this.#kept;
    this.#kept = [];
    return taken;
  }
}
