import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Whatever a program and those it starts leave behind: folders in their temporary folder, and processes. */
export interface Traces {
  /** What the program has to be started with. */
  readonly env: Readonly<Record<string, string>>;
  files(): readonly string[];
  /** Their command lines. Only where the system has /proc; elsewhere none are found. */
  processes(): readonly string[];
}

const variable = "TRACES_OF_A_TEST";

export function leaveTraces(): Traces {
  const folder = mkdtempSync(join(tmpdir(), "baton-traces-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const mark = randomUUID();
  return {
    env: { TMPDIR: folder, [variable]: mark },
    files: () => readdirSync(folder),
    processes: () =>
      numbers().flatMap((pid) =>
        read(`/proc/${pid}/environ`).includes(`${variable}=${mark}`)
          ? [read(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim()]
          : [],
      ),
  };
}

function numbers(): readonly string[] {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** A process may end while it is looked at. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
