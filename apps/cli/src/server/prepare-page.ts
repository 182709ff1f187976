import { spawn } from "node:child_process";
import { findPageBuilder } from "./find-server.ts";

/**
 * Has the page built, when it is missing or older than its sources, while the hub starts. The hub serves it as soon as it
 * is there, and says so as long as it is not.
 */
export function preparePage(): void {
  const program = findPageBuilder();
  if (program === undefined) return;
  const child = spawn(process.execPath, [program], { stdio: "ignore" });
  child.on("error", () => {});
  child.unref();
}
