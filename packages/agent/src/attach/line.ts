import type { AgentHeartbeat, AttachRefused, AttachWelcome } from "@baton/contract";
import { AgentError } from "../agent-error.ts";
import type { OnProblem } from "../problem.ts";
import type { Sender } from "./sender.ts";
import { type KeptBody, Session } from "./session.ts";

/** What the agent says to the hub: at once while there is a stream, kept until the hub has it. */
export class Line {
  readonly session = new Session();
  readonly #onProblem: OnProblem;
  #stream: Sender | undefined;
  #acknowledged = Promise.withResolvers<void>();
  #toldDropped = false;

  constructor(onProblem: OnProblem) {
    this.#onProblem = onProblem;
  }

  get isOpen(): boolean {
    return this.#stream !== undefined;
  }

  get unacknowledged(): number {
    return this.session.outbox.size;
  }

  open(welcome: AttachWelcome, sender: Sender): void {
    for (const { bytes } of this.session.welcomed(welcome)) sender.send(bytes);
    this.#stream = sender;
    this.#noteAcknowledged();
  }

  /** The stream is gone. */
  close(): void {
    this.#stream = undefined;
  }

  /** Ends the stream from this side, after what was said. */
  hangUp(): void {
    this.#stream?.end();
  }

  /** Throws `AgentError` for a message that is larger than the hub takes. */
  say(dispatchId: string, body: KeptBody): void {
    const { bytes, dropped } = this.session.keep(dispatchId, body);
    this.#stream?.send(bytes);
    if (dropped === 0 || this.#toldDropped) return;
    this.#toldDropped = true;
    const what = "more waits for the hub than is kept: the oldest events are dropped, then the oldest turns";
    this.#onProblem(new AgentError("BATON-SDK-014", what, { at: "the outbox" }));
  }

  /** How an attempt ended, once more, if the hub does not have it yet. */
  repeatEnd(dispatchId: string): void {
    const end = this.session.outbox.endOf(dispatchId);
    if (end) this.#stream?.send(end.bytes);
  }

  beat(heartbeat: () => AgentHeartbeat): void {
    this.#stream?.send(this.session.heartbeat(heartbeat()).bytes);
  }

  acknowledged(sequence: bigint): void {
    this.session.outbox.acknowledge(sequence);
    this.#noteAcknowledged();
  }

  refused({ sequence, error }: AttachRefused): void {
    const message = this.session.outbox.take(sequence);
    this.#noteAcknowledged();
    const what = `the hub refused a ${message?.message.case ?? "message"}: ${error?.code} ${error?.message}`;
    const at = message?.dispatchId ? `dispatch ${message.dispatchId}` : `message ${sequence}`;
    this.#onProblem(new AgentError("BATON-SDK-013", what, { at, ...(error?.fix && { fix: error.fix }) }));
  }

  /** Resolves when the hub has everything. */
  allAcknowledged(): Promise<void> {
    return this.unacknowledged === 0 ? Promise.resolve() : this.#acknowledged.promise;
  }

  #noteAcknowledged(): void {
    if (this.unacknowledged > 0) return;
    this.#acknowledged.resolve();
    this.#acknowledged = Promise.withResolvers();
  }
}
