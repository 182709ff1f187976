import {
  type AgentHeartbeat,
  type AgentManifest,
  type AttachAgentRequest,
  type AttachHello,
  AttachHelloSchema,
} from "@baton/contract";
import { HubError } from "../../ports/hub-error.ts";
import { accept } from "../accept.ts";

/** The first message of a stream, validated. */
export interface Hello {
  readonly manifest: AgentManifest;
  readonly heartbeat: AgentHeartbeat;
  readonly resumeSessionId: string;
  /** The key that the stream was opened with; absent where the hub has none. */
  readonly by?: string | undefined;
  /** Attempt numbers by dispatch id. */
  readonly held: ReadonlyMap<string, number>;
}

/** Throws `HubError` when the first message is not a valid hello. */
export async function readHello(incoming: AsyncIterator<AttachAgentRequest>): Promise<Hello> {
  const { manifest, heartbeat, resumeSessionId, heldDispatches } = accept(
    AttachHelloSchema,
    await firstMessage(incoming),
  );
  if (!manifest || !heartbeat) throw new Error("a valid hello has both");
  if (manifest.packId !== heartbeat.packId) {
    throw new HubError("invalid", "BATON-AGENT-003", "manifest and heartbeat name different packs", {
      fix: "state the same pack_id in both",
    });
  }
  const held = heldDispatches.map(({ dispatchId, attemptNumber }) => [dispatchId, attemptNumber] as const);
  return { manifest, heartbeat, resumeSessionId, held: new Map(held) };
}

async function firstMessage(incoming: AsyncIterator<AttachAgentRequest>): Promise<AttachHello> {
  const { value, done } = await incoming.next();
  const message = done ? undefined : value.message;
  if (message?.case === "hello") return message.value;
  throw new HubError("invalid", "BATON-AGENT-001", "the first message of an agent is its hello", {
    fix: "send hello with manifest and heartbeat first",
  });
}
