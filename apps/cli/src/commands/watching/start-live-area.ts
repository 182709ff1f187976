import { outputTerminal } from "../../output.ts";
import { LiveArea } from "../../terminal/live-area.ts";
import type { Terminal } from "../../terminal/terminal.ts";

/** A live area on standard output. However the process ends, the cursor is visible again. */
export function startLiveArea(render: (terminal: Terminal, nowMs: number) => readonly string[]): LiveArea {
  const screen = {
    write: (text: string) => void process.stdout.write(text),
    terminal: outputTerminal,
    onResize: (redraw: () => void) => void process.stdout.on("resize", redraw),
  };
  const area = new LiveArea(screen, render);
  process.once("exit", () => area.stop());
  area.start();
  return area;
}
