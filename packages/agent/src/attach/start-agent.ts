import { randomUUID } from "node:crypto";
import type { AgentOptions, CloseOptions } from "../api/definition.ts";
import { checkOptions } from "../check-definition.ts";
import { closedBeforeAttached } from "../hub-client.ts";
import { onSignals, printIfUncaught } from "../process.ts";
import { Attachment, type AttachState } from "./attachment.ts";

/** An agent that is attached to its hub. */
export interface AttachedAgent {
  readonly instanceId: string;
  readonly state: AttachState;
  /** Empty before the first session. */
  readonly sessionId: string;
  readonly activeTasks: number;
  readonly queuedTasks: number;
  /** Messages that the hub has not acknowledged. */
  readonly unacknowledged: number;
  /** Resolves when the agent is closed. Rejects when the hub refuses it or is unreachable for too long. */
  readonly closed: Promise<void>;
  /** Sends a heartbeat now instead of at its time, such as after `digests` changed. */
  refresh(): void;
  /** Accepts nothing more, waits for running tasks, and closes. Idempotent. */
  close(options?: CloseOptions): Promise<void>;
}

/**
 * Attaches an agent to its hub and runs the tasks that it is sent (A §3.1, §3.2 steps 5 to 7).
 *
 * Resolves when the hub has accepted the agent, however long that takes. Rejects when the hub refuses it permanently, or
 * a signal closes the agent first. From then on it reconnects by itself after lost connections and restarts of the hub,
 * and no message is lost.
 */
export async function startAgent(options: AgentOptions): Promise<AttachedAgent> {
  try {
    return await start(options);
  } catch (error) {
    printIfUncaught(error);
    throw error;
  }
}

async function start(options: AgentOptions): Promise<AttachedAgent> {
  checkOptions(options);
  const instanceId = options.instanceId ?? randomUUID();
  const attachment = new Attachment(options, instanceId);
  const stopListening = (options.handleSignals ?? true) ? onSignals(() => void attachment.close()) : () => {};
  const closed = attachment.run().finally(stopListening);
  await Promise.race([attachment.attached, closed.then(() => throwIfNeverAttached(attachment))]);
  return {
    instanceId,
    closed,
    refresh: () => attachment.refresh(),
    close: (closing) => attachment.close(closing),
    get state() {
      return attachment.state;
    },
    get sessionId() {
      return attachment.sessionId;
    },
    get activeTasks() {
      return attachment.workload.active;
    },
    get queuedTasks() {
      return attachment.workload.queued;
    },
    get unacknowledged() {
      return attachment.unacknowledged;
    },
  };
}

function throwIfNeverAttached({ sessionId, hubAddress }: Attachment): void {
  if (sessionId === "") throw closedBeforeAttached(hubAddress);
}
