import type { Redactor } from "@baton/kernel";
import type { Engine } from "../../engine/engine.ts";
import type { IntakeBuffer } from "../../engine/intake-buffer.ts";
import type { Address } from "../../ports/agent-address.ts";
import type { AgentReports } from "../agent-reports.ts";
import type { AgentConnections } from "../connections.ts";

export interface AttachSettings {
  readonly leaseTtlMs: number;
  readonly heartbeatIntervalMs: number;
  /** How long an instance whose stream broke keeps its lease. */
  readonly resumeGraceMs: number;
  /** Messages queued for one agent. */
  readonly outgoingLimit: number;
  /** Messages of one agent that are not durable yet; at the limit its stream is not read. */
  readonly outstandingLimit: number;
  readonly orchestratorVersion: string;
}

export interface AttachParts {
  /** Throws for the instance of a command agent, which only the hub itself may use. */
  readonly refuseCommandInstance: (agent: Address) => void;
  readonly engine: Engine;
  readonly connections: AgentConnections;
  readonly reports: AgentReports;
  /** Messages of all agents that are not durable yet. */
  readonly intake: IntakeBuffer;
  readonly settings: AttachSettings;
  /** Redacts errors on their way to agents. */
  readonly errors: Redactor;
  readonly after: (delayMs: number, callback: () => void) => () => void;
  readonly uuid: () => string;
}
