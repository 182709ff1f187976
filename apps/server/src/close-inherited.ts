import { closeSync, readdirSync, readFileSync } from "node:fs";

/** Of a file that is open, as /proc/self/fdinfo has it: it is closed in programs that are started. */
const closeOnExec = 0o2000000;

/**
 * Closes what whoever started the hub had open and passed on, beside the three usual streams. Every program that the hub starts
 * would have it too, agents included, and an open folder leads out of any sandbox. Node marks what it opens itself.
 */
export function closeInherited(): void {
  if (process.platform !== "linux") return;
  for (const name of readdirSync("/proc/self/fd")) {
    const fd = Number(name);
    if (fd > 2 && isPassedOn(fd)) closeSync(fd);
  }
}

function isPassedOn(fd: number): boolean {
  try {
    const [, flags = ""] = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "utf8")) ?? [];
    return flags !== "" && (Number.parseInt(flags, 8) & closeOnExec) === 0;
  } catch {
    return false; // It was the folder that was just listed.
  }
}
