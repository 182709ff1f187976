import { setTimeout as pause } from "node:timers/promises";
import {
  type AttachAgentRequest,
  AttachAgentRequestSchema,
  HealthStatus,
  RiskTier,
  type TaskEnvelope,
} from "@baton/contract";
import { resultFor } from "@baton/kernel/testing";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs, timestampNow } from "@bufbuild/protobuf/wkt";
import type { Chance } from "./chance.ts";
import { limits } from "./limits.ts";
import { type Api, openApi } from "./load/api.ts";

type Message = Exclude<MessageInitShape<typeof AttachAgentRequestSchema>["message"], undefined>;

const packId = "repeater";
const instanceId = "repeater-1";

/** An agent without the SDK that says each answer up to five times, every time as if it were new. */
export class RepeatingAgent {
  /** Every attempt it began. */
  readonly runs: string[] = [];
  readonly #api: Api;
  readonly #chance: Chance;
  readonly #onRepeat: () => void;
  /** Envelopes whose answer is not acknowledged, and the number of the answer in this stream. */
  readonly #held = new Map<string, { readonly envelope: TaskEnvelope; sequence: bigint }>();
  readonly #going: Promise<void>;
  #stream: Outgoing | undefined;

  constructor(hub: string, chance: Chance, onRepeat: () => void) {
    this.#api = openApi(hub);
    this.#chance = chance;
    this.#onRepeat = onRepeat;
    this.#going = this.#work();
  }

  async close(): Promise<void> {
    this.#stream?.end();
    this.#api.close();
    await this.#going;
  }

  async #work(): Promise<void> {
    const { registry, signal } = this.#api;
    while (!signal.aborted) {
      const stream = new Outgoing();
      this.#stream = stream;
      stream.say({ case: "hello", value: this.#hello() });
      const beating = setInterval(
        () => stream.say({ case: "heartbeat", value: heartbeat() }),
        limits.leaseMs / 3,
      );
      try {
        for await (const { message } of registry.attachAgent(stream, { signal })) {
          if (message.case === "welcome") this.#sayAgain(stream);
          if (message.case === "dispatch") this.#run(message.value, stream);
          if (message.case === "acknowledged") this.#acknowledged(message.value.sequence);
          if (message.case === "cancel") this.#held.delete(message.value.dispatchId);
        }
      } catch {
        // The hub is gone, or the connection is.
      }
      clearInterval(beating);
      stream.end();
      await pause(limits.retryCallMs);
    }
  }

  #run(envelope: TaskEnvelope, stream: Outgoing): void {
    const dispatchId = envelope.execution?.dispatchId ?? "";
    if (this.#held.has(dispatchId)) return;
    this.runs.push(dispatchId);
    this.#held.set(dispatchId, { envelope, sequence: 0n });
    void this.#answer(dispatchId, envelope, stream);
  }

  /** At once, and then again and again while the hub goes on. */
  async #answer(dispatchId: string, envelope: TaskEnvelope, stream: Outgoing): Promise<void> {
    const times = this.#chance.int(2, limits.repeats);
    for (let time = 1; time <= times && !this.#api.signal.aborted; time++) {
      const sequence = stream.say({ case: "result", value: resultFor(envelope) }, dispatchId);
      const held = this.#held.get(dispatchId);
      if (held && time === 1) held.sequence = sequence;
      if (time > 1) this.#onRepeat();
      await pause(this.#chance.int(0, 60));
    }
  }

  #sayAgain(stream: Outgoing): void {
    for (const [dispatchId, { envelope }] of this.#held) void this.#answer(dispatchId, envelope, stream);
  }

  #acknowledged(upTo: bigint): void {
    for (const [dispatchId, { sequence }] of this.#held)
      if (sequence > 0n && sequence <= upTo) this.#held.delete(dispatchId);
  }

  #hello() {
    const heldDispatches = [...this.#held].map(([dispatchId, held]) => {
      held.sequence = 0n;
      return { dispatchId, attemptNumber: held.envelope.execution?.attemptNumber ?? 1 };
    });
    return {
      manifest: {
        packId,
        packVersion: "1.0.0",
        capabilitySchemaVersion: "1.0.0",
        minOrchestratorVersion: "0.1.0",
        safetyTier: RiskTier.NORMAL,
        supportedTaskTypes: ["repeat"],
        interface: { supportedSchemaVersions: ["^1.0.0"], acceptedRiskTiers: ["LOW", "NORMAL"] },
      },
      heartbeat: heartbeat(),
      heldDispatches,
    };
  }
}

function heartbeat() {
  return {
    packId,
    instanceId,
    packVersion: "1.0.0",
    health: { status: HealthStatus.HEALTHY },
    capacity: { maxTasks: limits.agentCapacity },
    heartbeatAt: timestampNow(),
    leaseTtl: durationFromMs(limits.leaseMs),
  };
}

/** What one stream says, each message under a number of its own. */
class Outgoing implements AsyncIterable<AttachAgentRequest> {
  readonly #waiting: AttachAgentRequest[] = [];
  #sequence = 0n;
  #ended = false;
  #wake = Promise.withResolvers<void>();

  say(message: Message, dispatchId = ""): bigint {
    this.#sequence++;
    this.#waiting.push(create(AttachAgentRequestSchema, { sequence: this.#sequence, dispatchId, message }));
    this.#wake.resolve();
    return this.#sequence;
  }

  end(): void {
    this.#ended = true;
    this.#wake.resolve();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<AttachAgentRequest> {
    while (!this.#ended) {
      yield* this.#waiting.splice(0);
      if (this.#waiting.length > 0) continue;
      this.#wake = Promise.withResolvers();
      if (!this.#ended) await this.#wake.promise;
    }
  }
}
