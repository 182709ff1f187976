import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";

const variable = "BATON_RUN";
/** Processes may start others while they are killed. */
const maxRounds = 5;

/** A variable that identifies processes of a run, also outside of its process group. */
export function newRunMark(): Readonly<Record<string, string>> {
  return runMark(randomUUID());
}

export function runMark(value: string): Readonly<Record<string, string>> {
  return { [variable]: value };
}

/**
 * Kills processes that still have the variable. Needed in sandboxes that a process can leave by starting a session; a
 * process that also clears its environment is not found.
 */
export async function endLeftoverProcesses(mark: Readonly<Record<string, string>>): Promise<void> {
  if (process.platform !== "linux") return;
  const text = Buffer.from(`${variable}=${mark[variable]}\0`);
  for (let round = 0; round < maxRounds; round++) {
    const found = await processesWith(text);
    if (found.length === 0) return;
    for (const pid of found) kill(pid);
  }
}

async function processesWith(text: Buffer): Promise<readonly number[]> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const found: number[] = [];
  for (const pid of pids) {
    const variables = await readFile(`/proc/${pid}/environ`).catch(() => undefined);
    if (variables?.includes(text)) found.push(Number(pid));
  }
  return found;
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has ended.
  }
}
