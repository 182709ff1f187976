import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";

const variable = "BATON_RUN";
/** What is ended may have started something in the meantime. */
const rounds = 5;

/** A variable by which what a command starts is known, also when it leaves the command's process group. */
export function marked(): Readonly<Record<string, string>> {
  return markOf(randomUUID());
}

export function markOf(value: string): Readonly<Record<string, string>> {
  return { [variable]: value };
}

/**
 * Ends whatever still has the mark. For sandboxes in which a process can get away by a session of its own; one that also
 * throws away its variables is not found.
 */
export async function endStragglers(mark: Readonly<Record<string, string>>): Promise<void> {
  if (process.platform !== "linux") return;
  const text = Buffer.from(`${variable}=${mark[variable]}\0`);
  for (let round = 0; round < rounds; round++) {
    const found = await processesWith(text);
    if (found.length === 0) return;
    for (const pid of found) end(pid);
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

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It is gone already.
  }
}
