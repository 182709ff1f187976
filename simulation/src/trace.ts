import { createHash } from "node:crypto";

/** The events of a run, one per line: a digest of all of them, and the text of the last ones. */
export class Trace {
  readonly lines: string[] = [];
  steps = 0;
  private readonly hash = createHash("sha256");
  private unhashed = "";
  private readonly keepAll: boolean;

  constructor(keepAll: boolean) {
    this.keepAll = keepAll;
  }

  write(atMs: number, line: string): void {
    this.steps++;
    const full = `${String(atMs).padStart(8)} ${line}`;
    this.unhashed += `${full}\n`;
    if (this.unhashed.length > 16_384) this.hashUp();
    this.lines.push(full);
    if (!this.keepAll && this.lines.length > 200) this.lines.splice(0, 150);
  }

  private hashUp(): void {
    this.hash.update(this.unhashed);
    this.unhashed = "";
  }

  digest(): string {
    this.hashUp();
    return this.hash.copy().digest("hex").slice(0, 16);
  }
}
