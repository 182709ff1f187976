import type { Redactor } from "@baton/kernel";
import type { Driver } from "../../driver/driver.ts";
import type { WaitingRoom } from "../../hub/waiting-room.ts";
import type { AgentDesk } from "../agent-desk.ts";
import type { Switchboard } from "../switchboard.ts";

export interface AttachSettings {
  readonly leaseTtlMs: number;
  readonly heartbeatIntervalMs: number;
  /** How long an instance whose stream broke may take to come back before its lease ends. */
  readonly resumeGraceMs: number;
  /** Messages on their way to one agent. */
  readonly outgoingLimit: number;
  /** Messages of one agent that are not durable yet; beyond, its stream is not read. */
  readonly outstandingLimit: number;
  readonly orchestratorVersion: string;
}

export interface AttachParts {
  readonly driver: Driver;
  readonly switchboard: Switchboard;
  readonly desk: AgentDesk;
  /** Where messages wait that are not durable yet, of all agents. */
  readonly room: WaitingRoom;
  readonly settings: AttachSettings;
  /** What agents are told of errors passes here. */
  readonly errors: Redactor;
  readonly after: (delayMs: number, callback: () => void) => () => void;
  readonly uuid: () => string;
}
