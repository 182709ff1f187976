import type { AgentUnderTest, Transport } from "./agent-under-test.ts";
import { AttachedAgent } from "./attached-agent.ts";
import { CalledAgent } from "./called/called-agent.ts";
import type { Complaints } from "./complaints.ts";
import { Failed } from "./failed.ts";
import type { HubAddress, HubSide } from "./hub/hub-side.ts";
import { limits } from "./limits.ts";

/** How the agent is found. */
export interface AgentOptions {
  readonly transport: Transport;
  /** Where the agent listens. Without it, an agent that is called has to register. */
  readonly address?: string;
  /** Where the suite listens as a hub; by default, on any port when the agent has to reach it. */
  readonly listen?: HubAddress;
  /** What calls of the agent have to show. */
  readonly token?: string;
  /** How long the agent may take to come again, or to do one thing. */
  readonly patienceMs?: number;
  /** Of an agent that does not register: tasks at once, and task types beyond those of the suite. */
  readonly capacity?: number;
  readonly taskTypes?: readonly string[];
}

/** Waits for the agent to come, or to listen. Throws `Failed` when it does not. */
export async function meetAgent(
  options: AgentOptions,
  hub: HubSide | undefined,
  complaints: Complaints,
): Promise<AgentUnderTest> {
  const { transport, patienceMs = limits.patienceMs } = options;
  const isAttached = transport === "attached" && hub;
  const agent = isAttached ? new AttachedAgent(hub, patienceMs) : await calledAgent(options, hub, complaints);
  await agent.ready(limits.arrivalMs);
  return agent;
}

async function calledAgent(
  { transport, address, token, patienceMs = limits.patienceMs, capacity = 1, taskTypes = [] }: AgentOptions,
  hub: HubSide | undefined,
  complaints: Complaints,
): Promise<CalledAgent> {
  return new CalledAgent({
    ...{ token, patienceMs, complaints, hub },
    transport: transport === "grpc" ? "grpc" : "http-json",
    address: address ?? (await reportedAddress(hub)),
    assumed: { capacity, taskTypes },
  });
}

/** Where an agent that listens says that it does. */
async function reportedAddress(hub: HubSide | undefined): Promise<string> {
  const uri = await hub?.bell.within(limits.arrivalMs, () => hub.heartbeats[0]?.endpoint?.uri);
  const protocol = URL.parse(uri ?? "")?.protocol;
  if (uri !== undefined && (protocol === "http:" || protocol === "https:")) return uri;
  throw new Failed("a heartbeat with the agent's address, as an http URL", uri ?? "none");
}
