import type { AgentHeartbeat, TaskEnvelope } from "@baton/contract";
import type { Address } from "@baton/runtime/parts";
import type { Watch } from "../checks/checker.ts";
import type { Lives } from "../hub/hub-supervisor.ts";
import type { Answer } from "../kernel.ts";
import type { Sim } from "../sim.ts";
import type { Network } from "./network.ts";

/** What is at the agent's end of a line. */
export interface Station {
  readonly name: string;
  readonly isUp: boolean;
  take(envelope: TaskEnvelope): void;
  stop(dispatchId: string): void;
  /** Attempts it works on. */
  working(): readonly string[];
  /** How it is. */
  heartbeat(): AgentHeartbeat;
}

/** How an agent and the hub talk to each other. */
export interface Line {
  /** What it keeps until it is acknowledged. */
  readonly unheard: number;
  /** The agent is there, for the first time or again. */
  open(): void;
  beat(): void;
  /** Until the hub has it: then `taken` is told, if the word of it comes through. */
  answer(dispatchId: string, answer: Answer, over: () => boolean, taken: () => void): void;
  turn(envelope: TaskEnvelope, turnIndex: number, confidence: number): void;
  steps(dispatchId: string, steps: number): void;
  /** The connection is gone; the agent goes on. */
  lose(): void;
  /** The agent is dead. The hub may notice. */
  drop(): void;
}

export interface LineParts {
  readonly sim: Sim;
  readonly lives: Lives;
  readonly watch: Watch;
  readonly network: Network;
  readonly station: Station;
  readonly address: Address;
}
