import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { CaseReport } from "../report.ts";
import { checkAgent, type SuiteOptions } from "../suite.ts";

/** A program of its own, which is ended by `end`. */
export interface Started {
  readonly child: ChildProcess;
  end(): Promise<void>;
}

export function start(command: readonly string[], env: NodeJS.ProcessEnv = {}): Started {
  const [program = "", ...args] = command;
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close");
  return {
    child,
    async end() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Checks an agent that finds the suite's hub by BATON_HUB, as a process of its own. */
export async function checkCommand(
  command: readonly string[],
  options: SuiteOptions,
): Promise<readonly CaseReport[]> {
  let agent: Started | undefined;
  try {
    return await checkAgent({
      ...options,
      onListening: (hub) => {
        agent = start(command, { BATON_HUB: hub });
        agent.child.stdout?.resume();
        agent.child.stderr?.resume();
      },
    });
  } finally {
    await agent?.end();
  }
}

/** What was not passed, as a person reads it, by the id of the case. */
export function failuresIn(reports: readonly CaseReport[]): Record<string, string> {
  return Object.fromEntries(
    reports.flatMap((report) =>
      report.verdict === "fail" ? [[report.id, `expected ${report.expected}; saw ${report.seen}`]] : [],
    ),
  );
}

export function idsOf(reports: readonly CaseReport[], verdict: CaseReport["verdict"]): readonly string[] {
  return reports.filter((report) => report.verdict === verdict).map(({ id }) => id);
}
