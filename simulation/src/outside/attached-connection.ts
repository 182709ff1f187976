import {
  type AgentManifest,
  type AgentResult,
  AttachAgentRequestSchema,
  type AttachAgentResponse,
  CancelOutcome,
  type Step,
  type TaskEnvelope,
} from "@baton/contract";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { Answer } from "../kernel.ts";
import { log } from "../sim.ts";
import { AttachedStream } from "./attached-stream.ts";
import type { Connection, ConnectionParts } from "./connection.ts";
import { turnOf } from "./turn.ts";

type Message = Exclude<MessageInitShape<typeof AttachAgentRequestSchema>["message"], undefined>;

/** A message without an acknowledgement. */
interface Kept {
  sequence: bigint;
  readonly dispatchId: string;
  readonly message: Message;
  readonly result: AgentResult | undefined;
  readonly taken: (isStored: boolean) => void;
}

/**
 * The connection of an attached agent: one stream in both directions. Messages are numbered, kept until acknowledged, and
 * sent again after a reconnect.
 */
export class AttachedConnection implements Connection {
  readonly #parts: ConnectionParts;
  readonly #manifest: AgentManifest;
  #sessionId = "";
  #sequence = 0n;
  #kept: Kept[] = [];
  #stream: AttachedStream | undefined;
  #isOpening = false;

  constructor(parts: ConnectionParts, manifest: AgentManifest) {
    this.#parts = parts;
    this.#manifest = manifest;
    parts.supervisor.onEnd((hubProcess) => {
      if (this.#stream?.hubProcess === hubProcess) this.#stream.break();
    });
  }

  get unacknowledged(): number {
    return this.#kept.length;
  }

  open(): void {
    if (this.#stream || this.#isOpening) return;
    const { sim, agent } = this.#parts;
    this.#isOpening = true;
    sim.clock.after(sim.random.int(20, 3_000), () => {
      this.#isOpening = false;
      if (agent.isUp && !this.#stream) this.#connect();
    });
  }

  #connect(): void {
    const { supervisor, agent } = this.#parts;
    const hubProcess = supervisor.current;
    if (!hubProcess) return this.open();
    const stream = new AttachedStream({
      ...this.#parts,
      hubProcess,
      leaving: (response) => this.#leaving(response),
      receive: (response) => this.#receive(stream, response),
      onBreak: () => this.#broken(stream),
    });
    this.#stream = stream;
    const unacknowledged = this.#kept.flatMap(({ result, dispatchId }) => (result ? [dispatchId] : []));
    const held = [...new Set([...agent.working(), ...unacknowledged])];
    this.#send(stream, ++this.#sequence, "", {
      case: "hello",
      value: {
        manifest: this.#manifest,
        heartbeat: agent.heartbeat(),
        resumeSessionId: this.#sessionId,
        heldDispatches: held.map((dispatchId) => ({ dispatchId, attemptNumber: attemptOf(dispatchId) })),
      },
    });
  }

  /** What the hub sends must be durable by then. */
  #leaving({ message }: AttachAgentResponse): void {
    const { durability } = this.#parts.checker;
    if (message.case === "dispatch") {
      const dispatchId = message.value.execution?.dispatchId ?? "";
      durability.sending("send", dispatchId);
      durability.sent("send", dispatchId);
    }
    if (message.case === "cancel") durability.cancelling(message.value.dispatchId);
    if (message.case === "refused")
      for (const { sequence, result } of this.#kept)
        if (result && sequence === message.value.sequence) durability.refused(result);
    if (message.case !== "acknowledged") return;
    for (const { sequence, result } of this.#kept)
      if (result && sequence <= message.value.sequence) durability.acknowledged(result);
  }

  #receive(stream: AttachedStream, { message }: AttachAgentResponse): void {
    const { agent } = this.#parts;
    switch (message.case) {
      case "welcome":
        return this.#goOn(stream, message.value.sessionId, message.value.acknowledgedSequence);
      case "dispatch":
        return agent.take(message.value);
      case "cancel": {
        const { dispatchId } = message.value;
        agent.stop(dispatchId);
        return this.#say(dispatchId, { case: "cancelled", value: { outcome: CancelOutcome.STOPPED } });
      }
      case "acknowledged":
        return this.#forget(({ sequence }) => sequence <= message.value.sequence);
      case "refused":
        return this.#forget(({ sequence }) => sequence === message.value.sequence, false);
    }
  }

  /** Resumes the session with the same numbers; in a new session, numbering starts after the hello. */
  #goOn(stream: AttachedStream, sessionId: string, acknowledged: bigint): void {
    stream.isWelcome = true;
    if (sessionId === this.#sessionId) this.#forget(({ sequence }) => sequence <= acknowledged);
    else {
      this.#sessionId = sessionId;
      this.#sequence = 1n;
      for (const kept of this.#kept) kept.sequence = ++this.#sequence;
    }
    for (const { sequence, dispatchId, message } of this.#kept)
      this.#send(stream, sequence, dispatchId, message);
  }

  #forget(isTaken: (kept: Kept) => boolean, isStored = true): void {
    const taken = this.#kept.filter(isTaken);
    this.#kept = this.#kept.filter((kept) => !isTaken(kept));
    for (const kept of taken) kept.taken(isStored);
  }

  #say(
    dispatchId: string,
    message: Message,
    result?: AgentResult,
    taken: (isStored: boolean) => void = () => {},
  ): void {
    const sequence = ++this.#sequence;
    this.#kept.push({ sequence, dispatchId, message, result, taken });
    if (this.#stream?.isWelcome) this.#send(this.#stream, sequence, dispatchId, message);
  }

  #send(stream: AttachedStream, sequence: bigint, dispatchId: string, message: Message): void {
    stream.send(create(AttachAgentRequestSchema, { sequence, dispatchId, message }));
  }

  /** Heartbeats are not repeated. */
  beat(): void {
    if (!this.#stream?.isWelcome) return this.open();
    const value = this.#parts.agent.heartbeat();
    this.#send(this.#stream, ++this.#sequence, "", { case: "heartbeat", value });
  }

  answer(dispatchId: string, answer: Answer, over: () => boolean, taken: () => void): void {
    if (over()) return;
    const { supervisor, sim } = this.#parts;
    // A stream has no unreadable messages: enqueues what the hub would make of one.
    if (answer.kind === "unreadable")
      void supervisor.enqueue(dispatchId, { type: "result", dispatchId, answer }).then((word) => {
        if (word !== "down") taken();
        else sim.clock.after(3_000, () => this.answer(dispatchId, answer, over, taken));
      });
    else this.#say(dispatchId, { case: "result", value: answer.result }, answer.result, taken);
  }

  turn(envelope: TaskEnvelope, turnIndex: number, confidence: number): void {
    const dispatchId = envelope.execution?.dispatchId ?? "";
    const value = turnOf(envelope, turnIndex, confidence, this.#parts.sim.clock.nowMs);
    this.#say(dispatchId, { case: "turn", value });
  }

  step(dispatchId: string, value: Step, over: () => boolean, settled: (isStored: boolean) => void): void {
    if (!over()) this.#say(dispatchId, { case: "step", value }, undefined, settled);
  }

  steps(dispatchId: string, steps: number): void {
    void this.#parts.supervisor.enqueue(dispatchId, { type: "steps", dispatchId, steps });
  }

  lose(): void {
    this.#stream?.break();
  }

  drop(): void {
    this.lose();
    this.#sessionId = "";
    this.#sequence = 0n;
    this.#kept = [];
  }

  #broken(stream: AttachedStream): void {
    const { sim, agent } = this.#parts;
    log(sim, `${agent.name}: stream broken`);
    if (this.#stream === stream) this.#stream = undefined;
    if (agent.isUp) this.open();
  }
}

function attemptOf(dispatchId: string): number {
  return Number(dispatchId.slice(dispatchId.lastIndexOf("/") + 1)) || 1;
}
