import type { Terminal } from "./terminal.ts";
import { cutPainted, widthOf } from "./width.ts";

const hideCursor = "\u001b[?25l";
const showCursor = "\u001b[?25h";
const clearRestOfLine = "\u001b[K";
const clearBelow = "\u001b[0J";
/** Synchronized output: terminals that support it draw everything in between at once; others ignore it. */
const syncedUpdate = { begin: "\u001b[?2026h", end: "\u001b[?2026l" } as const;

/** Elapsed times change once a second. */
const tickMs = 1000;

export interface Screen {
  write(text: string): void;
  terminal(): Terminal;
  onResize(redraw: () => void): void;
}

/**
 * Lines that are redrawn in place, below lines that stay.
 *
 * P1. A line is overwritten and never cleared first, so that nothing flickers.
 * P2. An unchanged area is not written again.
 * P3. Every line is narrower than the terminal, and there are fewer lines than rows.
 */
export class LiveArea {
  readonly #screen: Screen;
  readonly #render: (terminal: Terminal, nowMs: number) => readonly string[];
  #drawn: readonly string[] = [];
  #columns = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(screen: Screen, render: (terminal: Terminal, nowMs: number) => readonly string[]) {
    this.#screen = screen;
    this.#render = render;
  }

  start(): void {
    this.#screen.write(hideCursor);
    this.#timer = setInterval(() => this.draw(), tickMs);
    this.#screen.onResize(() => this.draw());
    this.draw();
  }

  /** Prints lines that stay, above the area. */
  printAbove(lines: readonly string[]): void {
    if (lines.length > 0) this.#write(lines);
  }

  draw(): void {
    this.#write([]);
  }

  /** Clears the area, so that later output takes its place. */
  stop(): void {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#screen.write(this.#home() + clearBelow + showCursor);
    this.#drawn = [];
  }

  #write(above: readonly string[]): void {
    if (this.#timer === undefined) return;
    const terminal = this.#screen.terminal();
    // The last row stays free: a line break in it would scroll the area.
    const lines = this.#render(terminal, Date.now())
      .slice(0, Math.max(1, terminal.rows - 1))
      // The last column stays free as well: a terminal that is made wider would join a full line with the next one.
      .map((line) => cutPainted(line, terminal.columns - 1));
    const isSame = terminal.columns === this.#columns && lines.join("\n") === this.#drawn.join("\n");
    if (above.length === 0 && isSame) return;
    const written = [...above, ...lines].map((line) => `${line}${clearRestOfLine}\n`).join("");
    this.#screen.write(`${syncedUpdate.begin}${this.#home()}${written}${clearBelow}${syncedUpdate.end}`);
    this.#drawn = lines;
    this.#columns = terminal.columns;
  }

  /** Moves to the beginning of the area. A terminal that became narrower has rewrapped the lines. */
  #home(): string {
    const { columns } = this.#screen.terminal();
    const rowsOf = (line: string) => Math.max(1, Math.ceil(widthOf(line) / columns));
    const height = this.#drawn.reduce((sum, line) => sum + rowsOf(line), 0);
    return height === 0 ? "" : `\u001b[${height}A\r`;
  }
}
