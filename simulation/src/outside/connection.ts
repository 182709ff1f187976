import type { AgentHeartbeat, Step, TaskEnvelope } from "@baton/contract";
import type { Address } from "@baton/runtime/parts";
import type { Checker } from "../checks/checker.ts";
import type { HubSupervisor } from "../hub/hub-supervisor.ts";
import type { Answer } from "../kernel.ts";
import type { Sim } from "../sim.ts";
import type { Network } from "./network.ts";

/** The agent's end of a connection. */
export interface AgentEndpoint {
  readonly name: string;
  readonly isUp: boolean;
  take(envelope: TaskEnvelope): void;
  stop(dispatchId: string): void;
  /** The attempts it works on. */
  working(): readonly string[];
  heartbeat(): AgentHeartbeat;
}

/** The connection between an agent and the hub. */
export interface Connection {
  /** Messages that are kept until acknowledged. */
  readonly unacknowledged: number;
  /** Called at the start of the agent and after each return. */
  open(): void;
  beat(): void;
  /** Repeats until acknowledged, then calls `taken`, unless the acknowledgement is lost. */
  answer(dispatchId: string, answer: Answer, over: () => boolean, taken: () => void): void;
  turn(envelope: TaskEnvelope, turnIndex: number, confidence: number): void;
  /** Repeats until the hub has stored or refused it; `settled` learns which. */
  step(dispatchId: string, step: Step, over: () => boolean, settled: (isStored: boolean) => void): void;
  steps(dispatchId: string, steps: number): void;
  /** The connection breaks; the agent continues. */
  lose(): void;
  /** The agent has died. The hub may notice. */
  drop(): void;
}

export interface ConnectionParts {
  readonly sim: Sim;
  readonly supervisor: HubSupervisor;
  readonly checker: Checker;
  readonly network: Network;
  readonly agent: AgentEndpoint;
  readonly address: Address;
}
