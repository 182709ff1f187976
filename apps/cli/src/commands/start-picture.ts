import type { Look } from "../terminal/look.ts";
import { Picture } from "../terminal/picture.ts";
import { lookOfOutput } from "../writing.ts";

/** A picture on standard output. However the process ends, the cursor comes back. */
export function startPicture(paint: (look: Look, nowMs: number) => readonly string[]): Picture {
  const screen = {
    write: (text: string) => void process.stdout.write(text),
    look: lookOfOutput,
    onResize: (redraw: () => void) => void process.stdout.on("resize", redraw),
  };
  const picture = new Picture(screen, paint);
  process.once("exit", () => picture.stop());
  picture.start();
  return picture;
}
