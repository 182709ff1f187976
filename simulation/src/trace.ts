import { createHash } from "node:crypto";

/** What happened, a line each: all of it in a digest, the end of it in words. */
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

  tail(count: number): readonly string[] {
    return this.lines.slice(-count);
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
