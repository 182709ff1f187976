import type { AgentHeartbeat, AttachAgentRequest } from "@baton/contract";
import type { Leave } from "../../engine/intake-buffer.ts";
import { sizeOf } from "../../lib/memory-size.ts";
import { HubError } from "../../ports/hub-error.ts";
import { fleetRefusal } from "../accept.ts";
import type { AttachParts } from "./settings.ts";
import type { Stream } from "./stream.ts";

/**
 * Reads a stream until the agent ends it or opens another session. Waits while too much is not durable yet, of this agent or
 * of all. Throws `HubError` when too many wait: the agent keeps what is not acknowledged, and sends it again later.
 */
export async function readStream(
  parts: AttachParts,
  stream: Stream,
  incoming: AsyncIterator<AttachAgentRequest>,
  isCurrent: () => boolean,
): Promise<void> {
  const { session, tenantId } = stream;
  const { intake, settings } = parts;
  for (;;) {
    const { done, value } = await incoming.next();
    if (done) return;
    const bytes = sizeOf(value);
    const leave = intake.tryEnter(tenantId, bytes) ?? (await intake.waitToEnter(tenantId, bytes));
    if (!isCurrent()) return leave();
    void take(parts, stream, value, leave);
    while (session.acknowledgements.outstanding >= settings.outstandingLimit) await session.nextDone();
  }
}

async function take(
  parts: AttachParts,
  stream: Stream,
  request: AttachAgentRequest,
  leave: Leave,
): Promise<void> {
  const { sequence } = request;
  const { session } = stream;
  if (!session.acknowledgements.begin(sequence)) return leave();
  try {
    await handle(parts, stream, request);
  } catch (error) {
    newestOf(stream).refuse(sequence, error);
  } finally {
    leave();
  }
  if (session.acknowledgements.end(sequence)) newestOf(stream).acknowledge();
  session.resumeReading();
}

/** The agent reads the latest stream of the session. */
function newestOf(stream: Stream): Stream {
  return stream.session.stream ?? stream;
}

function handle(
  parts: AttachParts,
  stream: Stream,
  { message, dispatchId }: AttachAgentRequest,
): Promise<unknown> | undefined {
  const { reports } = parts;
  switch (message.case) {
    case "result":
      return reports.answer(stream, message.value, dispatchId);
    case "turn":
    case "event":
    case "step":
      return reports.take(stream, dispatchId, message, stream.session);
    case "heartbeat":
      return beat(parts, stream, message.value);
    case "cancelled":
      return undefined;
    default:
      throw new HubError("invalid", "BATON-AGENT-001", "a stream begins with one hello, and has no other", {
        fix: "send hello first, then heartbeats, turns, events, steps and results",
      });
  }
}

async function beat({ engine }: AttachParts, stream: Stream, heartbeat: AgentHeartbeat): Promise<void> {
  if (heartbeat.packId !== stream.packId || heartbeat.instanceId !== stream.instanceId) {
    throw new HubError("invalid", "BATON-AGENT-003", "the heartbeat is another instance's", {
      fix: "state pack_id and instance_id of the hello",
    });
  }
  stream.heartbeat = heartbeat;
  const refused = await engine.enqueueFleet(stream.tenantId, { kind: "heartbeat", heartbeat });
  if (refused) throw fleetRefusal(refused);
}
