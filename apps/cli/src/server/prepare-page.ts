import { spawn } from "node:child_process";
import { findPageBuilder } from "./find-server.ts";

/** Builds the page while the hub starts, if it is missing or older than its sources. The hub serves it once it exists. */
export function preparePage(): void {
  const program = findPageBuilder();
  if (program === undefined) return;
  const child = spawn(process.execPath, [program], { stdio: "ignore" });
  child.on("error", () => {});
  child.unref();
}
