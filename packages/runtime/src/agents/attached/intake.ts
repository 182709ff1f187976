import type { AgentHeartbeat, AttachAgentRequest } from "@baton/contract";
import { HubError } from "../../hub/hub-error.ts";
import { sizeOf } from "../../hub/size-of.ts";
import type { Leave } from "../../hub/waiting-room.ts";
import { fleetRefusal } from "../agent-desk.ts";
import type { AttachParts } from "./settings.ts";
import type { Stream } from "./stream.ts";

/**
 * Reads a stream until the agent ends it, or says in another session what it says here. Beyond the limits of what is not
 * durable yet, of this agent and of all, it waits. Throws `HubError` when too many wait: the agent keeps what is not
 * acknowledged, and comes back with it.
 */
export async function readStream(
  parts: AttachParts,
  stream: Stream,
  incoming: AsyncIterator<AttachAgentRequest>,
  isCurrent: () => boolean,
): Promise<void> {
  const { session, tenantId } = stream;
  const { room, settings } = parts;
  for (;;) {
    const { done, value } = await incoming.next();
    if (done) return;
    const bytes = sizeOf(value);
    const leave = room.tryEnter(tenantId, bytes) ?? (await room.waitToEnter(tenantId, bytes));
    if (!isCurrent()) return leave();
    void take(parts, stream, value, leave);
    while (session.acknowledgements.outstanding >= settings.outstandingLimit) await session.oneIsDone();
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
  session.letGoOn();
}

/** The agent may have opened another stream of the session meanwhile: that is where it listens. */
function newestOf(stream: Stream): Stream {
  return stream.session.stream ?? stream;
}

function handle(
  parts: AttachParts,
  stream: Stream,
  { message, dispatchId }: AttachAgentRequest,
): Promise<unknown> | undefined {
  const { desk } = parts;
  switch (message.case) {
    case "result":
      return desk.answer(stream, message.value, dispatchId);
    case "turn":
    case "event":
      return desk.take(stream, dispatchId, message, stream.session);
    case "heartbeat":
      return beat(parts, stream, message.value);
    case "cancelled":
      return undefined;
    default:
      throw new HubError("invalid", "BATON-AGENT-001", "a stream begins with one hello, and has no other", {
        fix: "send hello first, then heartbeats, turns, events and results",
      });
  }
}

async function beat({ driver }: AttachParts, stream: Stream, heartbeat: AgentHeartbeat): Promise<void> {
  if (heartbeat.packId !== stream.packId || heartbeat.instanceId !== stream.instanceId) {
    throw new HubError("invalid", "BATON-AGENT-003", "the heartbeat is another instance's", {
      fix: "state pack_id and instance_id of the hello",
    });
  }
  stream.heartbeat = heartbeat;
  const refused = await driver.tellFleet(stream.tenantId, { kind: "heartbeat", heartbeat });
  if (refused) throw fleetRefusal(refused);
}
