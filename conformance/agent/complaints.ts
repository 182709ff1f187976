/** Violations of the contract by the agent, until a case reports them. */
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
