import { type AttachedAgent, startAgent } from "@baton/agent";

/** Agents for the pages to show. Each does what the inputs of its task tell it. */
export interface Team {
  close(): Promise<void>;
}

export async function startTeam(
  hub: string,
  agents: readonly Parameters<typeof startAgent>[0][],
): Promise<Team> {
  const started: AttachedAgent[] = await Promise.all(
    agents.map((agent) => startAgent({ ...agent, hub, handleSignals: false, onProblem: () => {} })),
  );
  return {
    async close() {
      await Promise.all(started.map((agent) => agent.close({ graceMs: 0 })));
    },
  };
}
