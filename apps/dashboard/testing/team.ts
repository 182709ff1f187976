import { type AttachedAgent, startAgent } from "@baton/agent";

/** Attached agents in the process of the test. */
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
