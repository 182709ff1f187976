import {
  type AgentManifest,
  type AgentResult,
  AttachAgentRequestSchema,
  type AttachAgentResponse,
  CancelOutcome,
  type TaskEnvelope,
} from "@baton/contract";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { Answer } from "../kernel.ts";
import { write } from "../sim.ts";
import { AttachedStream } from "./attached-stream.ts";
import type { Line, LineParts } from "./connection.ts";
import { turnOf } from "./turn.ts";

type Message = Exclude<MessageInitShape<typeof AttachAgentRequestSchema>["message"], undefined>;

/** Something that the hub has not acknowledged. */
interface Kept {
  sequence: bigint;
  readonly dispatchId: string;
  readonly message: Message;
  readonly result: AgentResult | undefined;
  readonly taken: () => void;
}

/**
 * An agent that has attached: one stream in both directions. It numbers what it says, keeps it until it is acknowledged,
 * and after a break goes on where it was.
 */
export class AttachedLine implements Line {
  readonly #parts: LineParts;
  readonly #manifest: AgentManifest;
  #sessionId = "";
  #sequence = 0n;
  #kept: Kept[] = [];
  #stream: AttachedStream | undefined;
  #isOpening = false;

  constructor(parts: LineParts, manifest: AgentManifest) {
    this.#parts = parts;
    this.#manifest = manifest;
    parts.lives.onEnd((life) => {
      if (this.#stream?.life === life) this.#stream.break();
    });
  }

  get unheard(): number {
    return this.#kept.length;
  }

  open(): void {
    if (this.#stream || this.#isOpening) return;
    const { sim, station } = this.#parts;
    this.#isOpening = true;
    sim.clock.after(sim.random.int(20, 3_000), () => {
      this.#isOpening = false;
      if (station.isUp && !this.#stream) this.#connect();
    });
  }

  #connect(): void {
    const { lives, station } = this.#parts;
    const life = lives.current;
    if (!life) return this.open();
    const stream = new AttachedStream({
      ...this.#parts,
      life,
      leaving: (response) => this.#leaving(response),
      hear: (response) => this.#hear(stream, response),
      onBreak: () => this.#broken(stream),
    });
    this.#stream = stream;
    const unheard = this.#kept.flatMap(({ result, dispatchId }) => (result ? [dispatchId] : []));
    const held = [...new Set([...station.working(), ...unheard])];
    this.#send(stream, ++this.#sequence, "", {
      case: "hello",
      value: {
        manifest: this.#manifest,
        heartbeat: station.heartbeat(),
        resumeSessionId: this.#sessionId,
        heldDispatches: held.map((dispatchId) => ({ dispatchId, attemptNumber: attemptOf(dispatchId) })),
      },
    });
  }

  /** What the hub says has to be durable when it says it. */
  #leaving({ message }: AttachAgentResponse): void {
    const { exits } = this.#parts.watch;
    if (message.case === "dispatch") {
      const dispatchId = message.value.execution?.dispatchId ?? "";
      exits.leaving("send", dispatchId);
      exits.left("send", dispatchId);
    }
    if (message.case === "cancel") exits.stopping(message.value.dispatchId);
    if (message.case === "refused")
      for (const { sequence, result } of this.#kept)
        if (result && sequence === message.value.sequence) exits.refused(result);
    if (message.case !== "acknowledged") return;
    for (const { sequence, result } of this.#kept)
      if (result && sequence <= message.value.sequence) exits.acknowledged(result);
  }

  #hear(stream: AttachedStream, { message }: AttachAgentResponse): void {
    const { station } = this.#parts;
    switch (message.case) {
      case "welcome":
        return this.#goOn(stream, message.value.sessionId, message.value.acknowledgedSequence);
      case "dispatch":
        return station.take(message.value);
      case "cancel": {
        const { dispatchId } = message.value;
        station.stop(dispatchId);
        return this.#say(dispatchId, { case: "cancelled", value: { outcome: CancelOutcome.STOPPED } });
      }
      case "acknowledged":
        return this.#letGo(({ sequence }) => sequence <= message.value.sequence);
      case "refused":
        return this.#letGo(({ sequence }) => sequence === message.value.sequence);
    }
  }

  /** In the same session under the same numbers; in another one from the second number on. */
  #goOn(stream: AttachedStream, sessionId: string, acknowledged: bigint): void {
    stream.isWelcome = true;
    if (sessionId === this.#sessionId) this.#letGo(({ sequence }) => sequence <= acknowledged);
    else {
      this.#sessionId = sessionId;
      this.#sequence = 1n;
      for (const kept of this.#kept) kept.sequence = ++this.#sequence;
    }
    for (const { sequence, dispatchId, message } of this.#kept)
      this.#send(stream, sequence, dispatchId, message);
  }

  #letGo(isTaken: (kept: Kept) => boolean): void {
    const taken = this.#kept.filter(isTaken);
    this.#kept = this.#kept.filter((kept) => !isTaken(kept));
    for (const kept of taken) kept.taken();
  }

  #say(dispatchId: string, message: Message, result?: AgentResult, taken: () => void = () => {}): void {
    const sequence = ++this.#sequence;
    this.#kept.push({ sequence, dispatchId, message, result, taken });
    if (this.#stream?.isWelcome) this.#send(this.#stream, sequence, dispatchId, message);
  }

  #send(stream: AttachedStream, sequence: bigint, dispatchId: string, message: Message): void {
    stream.send(create(AttachAgentRequestSchema, { sequence, dispatchId, message }));
  }

  /** Not kept: the next one comes anyway. */
  beat(): void {
    if (!this.#stream?.isWelcome) return this.open();
    const value = this.#parts.station.heartbeat();
    this.#send(this.#stream, ++this.#sequence, "", { case: "heartbeat", value });
  }

  answer(dispatchId: string, answer: Answer, over: () => boolean, taken: () => void): void {
    if (over()) return;
    const { lives, sim } = this.#parts;
    // A stream of messages has no unreadable one: this is what the hub makes of an answer it cannot read.
    if (answer.kind === "unreadable")
      void lives.give(dispatchId, { type: "result", dispatchId, answer }).then((word) => {
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

  steps(dispatchId: string, steps: number): void {
    void this.#parts.lives.give(dispatchId, { type: "steps", dispatchId, steps });
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
    const { sim, station } = this.#parts;
    write(sim, `${station.name}: its stream breaks`);
    if (this.#stream === stream) this.#stream = undefined;
    if (station.isUp) this.open();
  }
}

function attemptOf(dispatchId: string): number {
  return Number(dispatchId.slice(dispatchId.lastIndexOf("/") + 1)) || 1;
}
