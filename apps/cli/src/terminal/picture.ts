import type { Look } from "./look.ts";
import { cutPainted, widthOf } from "./width.ts";

const hideCursor = "\u001b[?25l";
const showCursor = "\u001b[?25h";
const clearRestOfLine = "\u001b[K";
const clearBelow = "\u001b[0J";
/** Terminals that know it show what is between the two at once; the others take no notice. */
const together = { begin: "\u001b[?2026h", end: "\u001b[?2026l" } as const;

/** Once a second is often enough for clocks, and calm. */
const tickMs = 1000;

export interface Screen {
  write(text: string): void;
  look(): Look;
  onResize(redraw: () => void): void;
}

/**
 * Lines that are drawn again in one place, below lines that stay.
 *
 * P1. A line is written over the one that stood there, and never wiped first: nothing flickers.
 * P2. What has not changed is not written again.
 * P3. Every line is narrower than the terminal, and there are fewer of them than it has rows.
 */
export class Picture {
  readonly #screen: Screen;
  readonly #paint: (look: Look, nowMs: number) => readonly string[];
  #drawn: readonly string[] = [];
  #columns = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(screen: Screen, paint: (look: Look, nowMs: number) => readonly string[]) {
    this.#screen = screen;
    this.#paint = paint;
  }

  start(): void {
    this.#screen.write(hideCursor);
    this.#timer = setInterval(() => this.draw(), tickMs);
    this.#screen.onResize(() => this.draw());
    this.draw();
  }

  /** Lines that stay, above the picture. */
  say(lines: readonly string[]): void {
    if (lines.length > 0) this.#write(lines);
  }

  draw(): void {
    this.#write([]);
  }

  /** Takes itself away, so that what is printed next stands in its place. */
  stop(): void {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#screen.write(this.#home() + clearBelow + showCursor);
    this.#drawn = [];
  }

  #write(above: readonly string[]): void {
    if (this.#timer === undefined) return;
    const look = this.#screen.look();
    // The last row stays free: a line break in it would scroll the picture away.
    const lines = this.#paint(look, Date.now())
      .slice(0, Math.max(1, look.rows - 1))
      // The last column stays free as well: a terminal that is made wider would join a full line with the next one.
      .map((line) => cutPainted(line, look.columns - 1));
    const isSame = look.columns === this.#columns && lines.join("\n") === this.#drawn.join("\n");
    if (above.length === 0 && isSame) return;
    const written = [...above, ...lines].map((line) => `${line}${clearRestOfLine}\n`).join("");
    this.#screen.write(`${together.begin}${this.#home()}${written}${clearBelow}${together.end}`);
    this.#drawn = lines;
    this.#columns = look.columns;
  }

  /** To where the picture begins. A terminal that was made narrower since has broken its lines anew. */
  #home(): string {
    const { columns } = this.#screen.look();
    const rowsOf = (line: string) => Math.max(1, Math.ceil(widthOf(line) / columns));
    const height = this.#drawn.reduce((sum, line) => sum + rowsOf(line), 0);
    return height === 0 ? "" : `\u001b[${height}A\r`;
  }
}
