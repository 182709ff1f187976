import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import {
  AgentRole,
  CancelOutcome,
  Complexity,
  HealthStatus,
  RiskTier,
  type TaskEnvelope,
} from "@baton/contract";
import { resultFor } from "@baton/kernel/testing";
import { durationFromMs, timestampNow } from "@bufbuild/protobuf/wkt";
import type { Chance } from "../chance.ts";
import type { Fault, Figures } from "../figures.ts";
import { limits } from "../limits.ts";
import { type Api, openApi } from "../load/api.ts";
import { RepeatingStream } from "./repeating-stream.ts";

const packId = "repeater";
const instanceId = "repeater-1";

interface Held {
  readonly envelope: TaskEnvelope;
  /** The id of its thought event. */
  readonly eventId: string;
  /** The number of the result in the current stream. */
  sequence: bigint;
  /** Answered only after the hub has given it up. */
  waitsForCancel: boolean;
}

/**
 * An agent without the SDK that repeats every message except hello up to five times. Turns, events, heartbeats and replies to
 * a cancel are repeated under their number, as a network would; turns, events, results and heartbeats also as new messages.
 * The manifest is registered again before each stream. The first attempt of the type `late` is answered after its cancel.
 */
export class RepeatingAgent {
  /** Every attempt that it began. */
  readonly runs: string[] = [];
  readonly #api: Api;
  readonly #chance: Chance;
  readonly #figures: Figures;
  /** Envelopes without an acknowledged result. */
  readonly #held = new Map<string, Held>();
  /** Stages whose late attempt has begun. */
  readonly #lateOnce = new Set<string>();
  readonly #going: Promise<void>;
  #stream: RepeatingStream | undefined;

  constructor(hub: string, chance: Chance, figures: Figures) {
    this.#api = openApi(hub);
    this.#chance = chance;
    this.#figures = figures;
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
      const stream = new RepeatingStream();
      this.#stream = stream;
      const beating = setInterval(() => this.#beat(stream), limits.leaseMs / 3);
      try {
        await this.#register();
        stream.send({ case: "hello", value: this.#hello() });
        for await (const { message } of registry.attachAgent(stream, { signal })) {
          if (message.case === "welcome") this.#repeatAll(stream);
          if (message.case === "dispatch") this.#run(message.value, stream);
          if (message.case === "acknowledged") this.#acknowledged(message.value.sequence);
          if (message.case === "cancel") this.#cancel(message.value.dispatchId, stream);
        }
      } catch {
        // The hub or the connection is gone.
      }
      clearInterval(beating);
      stream.end();
      await pause(limits.retryCallMs);
    }
  }

  async #register(): Promise<void> {
    const { registry, signal } = this.#api;
    const times = this.#chance.int(2, limits.repeats);
    const once = () => registry.registerAgent({ manifest }, { signal, timeoutMs: limits.callMs });
    await Promise.all(Array.from({ length: times }, once));
    this.#figures.fault("a registration repeated", times - 1);
  }

  #beat(stream: RepeatingStream): void {
    if (!stream.isOpen) return;
    const value = heartbeat();
    stream.send({ case: "heartbeat", value }, { times: this.#times("a heartbeat repeated") });
    stream.send({ case: "heartbeat", value });
    this.#figures.fault("a heartbeat repeated");
  }

  #run(envelope: TaskEnvelope, stream: RepeatingStream): void {
    const dispatchId = envelope.execution?.dispatchId ?? "";
    if (this.#held.has(dispatchId)) return;
    this.runs.push(dispatchId);
    const waitsForCancel = this.#isToBeLate(dispatchId, envelope);
    const held = { envelope, eventId: randomUUID(), sequence: 0n, waitsForCancel };
    this.#held.set(dispatchId, held);
    this.#narrate(dispatchId, held, stream);
    if (!held.waitsForCancel) void this.#answer(dispatchId, envelope, stream);
  }

  #isToBeLate(dispatchId: string, { routing }: TaskEnvelope): boolean {
    const stage = dispatchId.slice(0, dispatchId.lastIndexOf("/"));
    if (routing?.taskType !== "late" || this.#lateOnce.has(stage)) return false;
    this.#lateOnce.add(stage);
    return true;
  }

  /** Sends a thought and a turn, with the same ids on every stream until the result is acknowledged. */
  #narrate(dispatchId: string, { envelope, eventId }: Held, stream: RepeatingStream): void {
    const role = AgentRole.DEVELOPER;
    const thought = { agentId: role, turnIndex: 0, chunk: "again", isFinal: true };
    const event = {
      eventId,
      sessionId: envelope.trace?.traceId ?? "",
      payload: { case: "thoughtStream", value: thought },
    } as const;
    const turn = {
      ...{ turnIndex: 0, agentId: role, role, packId },
      content: { thought: "again", action: "repeated it", observation: "" },
      metadata: {
        version: "1.0.0",
        taskId: envelope.contract?.taskId ?? "",
        timestamp: timestampNow(),
        confidence: 1,
        estimatedComplexity: Complexity.LOW,
      },
    };
    stream.send({ case: "event", value: event }, { dispatchId, times: this.#times("an event repeated") });
    stream.send({ case: "turn", value: turn }, { dispatchId, times: this.#times("a turn repeated") });
  }

  /** Sends the result repeatedly while the hub continues. */
  async #answer(dispatchId: string, envelope: TaskEnvelope, stream: RepeatingStream): Promise<void> {
    const times = this.#chance.int(2, limits.repeats);
    for (let time = 1; time <= times && !this.#api.signal.aborted; time++) {
      const sequence = stream.send({ case: "result", value: resultFor(envelope) }, { dispatchId });
      const held = this.#held.get(dispatchId);
      if (held && time === 1) held.sequence = sequence;
      if (time > 1) this.#figures.fault("an answer repeated");
      await pause(this.#chance.int(0, 60));
    }
  }

  #cancel(dispatchId: string, stream: RepeatingStream): void {
    const held = this.#held.get(dispatchId);
    if (held?.waitsForCancel) {
      held.waitsForCancel = false;
      this.#figures.fault("an answer after the attempt was given up");
      void this.#answer(dispatchId, held.envelope, stream);
      return;
    }
    this.#held.delete(dispatchId);
    const times = this.#times("the answer to a cancel repeated");
    stream.send({ case: "cancelled", value: { outcome: CancelOutcome.STOPPED } }, { dispatchId, times });
  }

  #repeatAll(stream: RepeatingStream): void {
    for (const [dispatchId, held] of this.#held) {
      this.#narrate(dispatchId, held, stream);
      if (!held.waitsForCancel) void this.#answer(dispatchId, held.envelope, stream);
    }
  }

  #acknowledged(upTo: bigint): void {
    for (const [dispatchId, { sequence }] of this.#held)
      if (sequence > 0n && sequence <= upTo) this.#held.delete(dispatchId);
  }

  #times(fault: Fault): number {
    const times = this.#chance.int(2, limits.repeats);
    this.#figures.fault(fault, times - 1);
    return times;
  }

  #hello() {
    const heldDispatches = [...this.#held].map(([dispatchId, held]) => {
      held.sequence = 0n;
      return { dispatchId, attemptNumber: held.envelope.execution?.attemptNumber ?? 1 };
    });
    return { manifest, heartbeat: heartbeat(), heldDispatches };
  }
}

const manifest = {
  packId,
  packVersion: "1.0.0",
  capabilitySchemaVersion: "1.0.0",
  minOrchestratorVersion: "0.1.0",
  safetyTier: RiskTier.NORMAL,
  supportedTaskTypes: ["repeat", "late"],
  interface: { supportedSchemaVersions: ["^1.0.0"], acceptedRiskTiers: ["LOW", "NORMAL"] },
};

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
