import { randomUUID } from "node:crypto";
import type { AgentOptions, CloseOptions } from "../agent-options.ts";
import { checkOptions } from "../check-definition.ts";
import { leftBeforeLetIn } from "../hub-client.ts";
import { onSignals } from "../signals.ts";
import { tellPlainly } from "../tell-plainly.ts";
import { Attachment, type AttachState } from "./attachment.ts";

/** An agent that is attached to its hub. */
export interface AttachedAgent {
  readonly instanceId: string;
  readonly state: AttachState;
  /** The session with the hub; empty before the first one. */
  readonly sessionId: string;
  readonly activeTasks: number;
  readonly queuedTasks: number;
  /** Messages that the hub has not acknowledged. */
  readonly unacknowledged: number;
  /** Ends when the agent has left; fails when the hub shut it out or was away for too long. */
  readonly closed: Promise<void>;
  /** Finishes what runs, takes nothing more, and leaves. Calling it again changes nothing. */
  close(options?: CloseOptions): Promise<void>;
}

/**
 * Attaches an agent to its hub and does what it is sent (A §3.1, §3.2 steps 5 to 7).
 *
 * Resolves when the hub has let the agent in, however long the hub takes to appear; rejects when the hub refuses it
 * for good, or a signal ends the agent before it was let in. From then on it stays attached by itself: through lost connections and restarts of the hub, with nothing
 * it had to say lost.
 */
export async function startAgent(options: AgentOptions): Promise<AttachedAgent> {
  try {
    return await start(options);
  } catch (error) {
    tellPlainly(error);
    throw error;
  }
}

async function start(options: AgentOptions): Promise<AttachedAgent> {
  checkOptions(options);
  const instanceId = options.instanceId ?? randomUUID();
  const attachment = new Attachment(options, instanceId);
  const stopListening = (options.handleSignals ?? true) ? onSignals(() => void attachment.close()) : () => {};
  const closed = attachment.run().finally(stopListening);
  await Promise.race([attachment.attached, closed.then(() => refuseUnattached(attachment))]);
  return {
    instanceId,
    closed,
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

/** Whoever waits for an agent that is let in must not go on as if it had been. */
function refuseUnattached({ sessionId, hubAddress }: Attachment): void {
  if (sessionId === "") throw leftBeforeLetIn(hubAddress);
}
