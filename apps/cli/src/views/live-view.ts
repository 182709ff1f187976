import type { Seen } from "../hub/standing.ts";
import { escapeLine } from "../terminal/escape.ts";
import { paint, piece, signsOf } from "../terminal/ink.ts";
import type { Look } from "../terminal/look.ts";
import { cut, widthOf } from "../terminal/width.ts";
import { renderLiveStages } from "./live-stages.ts";
import { renderHeading } from "./pipeline-view.ts";

const hideCursor = "\u001b[?25l";
const showCursor = "\u001b[?25h";
const clearBelow = "\u001b[0J";

/** Once a second is often enough for clocks, and calm. */
const tickMs = 1000;

interface Screen {
  write(text: string): void;
  look(): Look;
  onResize(redraw: () => void): void;
}

/** A pipeline that is drawn again while it changes, below what is told of it. */
export class LiveView {
  readonly #screen: Screen;
  #seen: Seen;
  #drawn: readonly string[] = [];
  #away = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(screen: Screen, seen: Seen) {
    this.#screen = screen;
    this.#seen = seen;
  }

  start(): void {
    this.#screen.write(hideCursor);
    this.#timer = setInterval(() => this.draw(), tickMs);
    this.#screen.onResize(() => this.draw());
    this.draw();
  }

  show(seen: Seen): void {
    this.#seen = seen;
    this.draw();
  }

  /** Lines that stay, above the picture. */
  say(lines: readonly string[]): void {
    this.#screen.write(`${this.#home()}${lines.join("\n")}\n`);
    this.#drawn = [];
    this.draw();
  }

  away(away: boolean): void {
    this.#away = away;
    this.draw();
  }

  /** Takes itself away, so that what is printed next stands in its place. */
  stop(): void {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#screen.write(this.#home() + showCursor);
    this.#drawn = [];
  }

  draw(): void {
    if (this.#timer === undefined) return;
    const look = this.#screen.look();
    // The last row stays free: a line break in it would scroll the picture away.
    const lines = this.#lines(look).slice(0, Math.max(1, look.rows - 1));
    this.#screen.write(`${this.#home()}${lines.join("\n")}\n`);
    this.#drawn = lines;
  }

  #lines(look: Look): readonly string[] {
    const nowMs = Date.now();
    const { ellipsis, asks } = signsOf(look);
    const fitting = (text: string) => cut(escapeLine(text), look.columns - 2, ellipsis);
    const questions = this.#seen.questions.map(({ snapshot, stageId }) =>
      paint(look, piece(fitting(`  ${asks} ${stageId ? `${stageId}: ` : ""}${snapshot?.problem}`), "asks")),
    );
    const away = paint(look, piece(fitting("  the hub is away; trying again"), "quiet"));
    return [
      "",
      renderHeading(look, this.#seen.pipeline, nowMs),
      ...renderLiveStages(look, this.#seen.pipeline, nowMs),
      ...(questions.length > 0 ? ["", ...questions] : []),
      ...(this.#away ? ["", away] : []),
    ];
  }

  /** To where the picture begins. A terminal that was made narrower since has broken its lines anew. */
  #home(): string {
    const { columns } = this.#screen.look();
    const rowsOf = (line: string) => Math.max(1, Math.ceil(widthOf(line) / columns));
    const height = this.#drawn.reduce((sum, line) => sum + rowsOf(line), 0);
    return height === 0 ? "" : `\u001b[${height}A\r${clearBelow}`;
  }
}
