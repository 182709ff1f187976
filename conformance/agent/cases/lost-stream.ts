import type { TaskEnvelope } from "@baton/contract";
import type { AttachedAgent } from "../attached-agent.ts";
import type { AgentStream } from "../hub/agent-stream.ts";
import { limits } from "../limits.ts";
import { echo, slow } from "../tasks.ts";
import { echoes, succeeds } from "./answers.ts";

/** A task, and the number under which its result was first received. */
export interface Answered {
  readonly work: TaskEnvelope;
  readonly sequence: bigint;
}

/** A stream that was cut while the agent had a result in each state that one can have, and the one after it. */
export interface LostStream {
  readonly session: string;
  /** Acknowledged before the cut. */
  readonly acknowledged: TaskEnvelope;
  /** Named as stored only by the welcome after it. */
  readonly stored: Answered;
  readonly refused: Answered;
  /** Neither acknowledged nor refused. */
  readonly kept: Answered;
  /** At work when the stream was cut. */
  readonly running: TaskEnvelope;
  readonly stream: AgentStream;
}

export async function loseStream(agent: AttachedAgent): Promise<LostStream> {
  const { hub } = agent;
  const acknowledged = echo();
  await succeeds(agent.dispatch(acknowledged));
  await isReceived(agent);
  const stored = await unacknowledged(agent);
  const refused = await unacknowledged(agent);
  const error = { code: "BATON-CONFORMANCE", message: "the suite refuses this result", fix: "nothing" };
  agent.stream.say({ case: "refused", value: { sequence: refused.sequence, error } });
  const kept = await unacknowledged(agent);
  const running = slow(limits.slowerMs);
  const attempt = agent.dispatch(running);
  await isReceived(agent);
  // The agent learns of it with the next welcome.
  hub.session.acknowledged = stored.sequence;
  hub.welcomeAfterMs = limits.welcomeMs;
  const session = hub.session.id;
  const stream = await agent.reopened();
  await succeeds(attempt);
  await echoes(agent);
  return { session, acknowledged, stored, refused, kept, running, stream };
}

/** Lets the agent do a task whose result is not acknowledged. */
export async function unacknowledged(agent: AttachedAgent): Promise<Answered> {
  agent.hub.acknowledges = false;
  const work = echo();
  const { stream } = agent;
  await succeeds(agent.dispatch(work));
  return { work, sequence: await agent.resultOn(stream, work) };
}

/** Waits for one more answer: everything sent before it has been received. */
export async function isReceived(agent: AttachedAgent): Promise<void> {
  // A task could wait for the one that runs; then the cancel of something unknown has to do.
  if (agent.profile.capacity > 1) await echoes(agent);
  else await agent.cancel(echo());
}
