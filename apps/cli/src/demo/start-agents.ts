import type { AgentInstance } from "@baton/contract/forms";
import type { Hub } from "../hub/connect-hub.ts";
import { limits } from "../limits.ts";
import { listAgents } from "../queries/find-agent.ts";
import { pause } from "../terminal/pause.ts";
import { cannotRun } from "./cannot-run.ts";
import type { DemoFolder } from "./demo-folder.ts";
import type { Programs } from "./programs.ts";

interface Setting {
  readonly folder: DemoFolder;
  /** Programs, each an agent. */
  readonly agents: readonly string[];
  readonly hub: Hub;
  readonly signal: AbortSignal;
}

const pollMs = 100;

/** Starts the agents, and waits until all are attached. */
export async function startAgents(
  programs: Programs,
  { folder, agents, hub, signal }: Setting,
): Promise<readonly AgentInstance[]> {
  const env = { BATON_HUB: hub.address.origin, BATON_API_KEY: "" };
  for (const path of agents) programs.start({ path, cwd: folder.path, env });
  return waitForAgents(hub, agents.length, signal);
}

/** Waits until so many agents are attached. */
export async function waitForAgents(
  hub: Hub,
  count: number,
  signal: AbortSignal,
): Promise<readonly AgentInstance[]> {
  const untilMs = performance.now() + limits.demoStartMs;
  while (performance.now() < untilMs) {
    const { rows } = await listAgents(hub, { max: count, filter: "attached = true" }, signal);
    if (rows.length === count) return rows;
    await pause(pollMs, signal);
  }
  throw cannotRun("the hub does not get to know the agents", "try again");
}
