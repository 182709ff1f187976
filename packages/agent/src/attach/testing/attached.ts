import { expect } from "vitest";
import { HubDouble, type HubDoubleOptions, type HubStream } from "../../../testing/index.ts";
import type { AgentError } from "../../agent-error.ts";
import type { AgentOptions } from "../../api/definition.ts";
import type { Task } from "../../api/task.ts";
import { type AttachedAgent, startAgent } from "../start-agent.ts";

const open: { agents: AttachedAgent[]; hubs: HubDouble[] } = { agents: [], hubs: [] };

/** After each test: closes all agents and hubs, and expects no violation of the contract. */
export async function endAll(): Promise<void> {
  const hubs = open.hubs.splice(0);
  await Promise.all(hubs.map((hub) => hub.stop()));
  await Promise.all(open.agents.splice(0).map((agent) => agent.close({ graceMs: 0 })));
  expect(hubs.flatMap(({ violations }) => violations)).toEqual([]);
}

export async function startHub(options?: HubDoubleOptions): Promise<HubDouble> {
  const hub = await HubDouble.start(options);
  open.hubs.push(hub);
  return hub;
}

export interface Started {
  readonly agent: AttachedAgent;
  readonly stream: HubStream;
  readonly problems: AgentError[];
}

export async function start(hub: HubDouble, options: Partial<AgentOptions> = {}): Promise<Started> {
  const problems: AgentError[] = [];
  const agent = await startAgent({
    pack: "qa-engineer",
    version: "1.0.0",
    taskTypes: ["write-tests"],
    run: (task) => task.success("done"),
    hub: hub.address,
    handleSignals: false,
    onProblem: (problem) => problems.push(problem),
    ...options,
  });
  open.agents.push(agent);
  return { agent, stream: await hub.streams.take(), problems };
}

/** A `run` that waits until the test releases the attempt by its id. */
export function gate() {
  const tasks = new Map<string, Task>();
  const open = new Map<string, PromiseWithResolvers<void>>();
  const started = new Map<string, PromiseWithResolvers<Task>>();
  const of = <Value>(map: Map<string, PromiseWithResolvers<Value>>, id: string) => {
    const found = map.get(id) ?? Promise.withResolvers<Value>();
    map.set(id, found);
    return found;
  };
  return {
    runs: [] as string[],
    async run(task: Task) {
      const id = task.envelope.execution?.dispatchId ?? "";
      this.runs.push(id);
      tasks.set(id, task);
      of(started, id).resolve(task);
      await of(open, id).promise;
      return task.success(`${id} is done`);
    },
    started: (id: string) => of(started, id).promise,
    release: (id: string) => of(open, id).resolve(),
  };
}
