import type { AgentHeartbeat, AttachRefused, AttachWelcome } from "@baton/contract";
import { AgentError } from "../agent-error.ts";
import type { OnProblem } from "../problem.ts";
import type { Sender } from "./sender.ts";
import { type ReportBody, Session } from "./session.ts";

/** Reports to the hub: at once while a stream is open, and kept until acknowledged. */
export class Reporter {
  readonly session = new Session();
  readonly #onProblem: OnProblem;
  #stream: Sender | undefined;
  #acknowledged = Promise.withResolvers<void>();
  #isOverflowReported = false;

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

  close(): void {
    this.#stream = undefined;
  }

  /** Ends the sending side of the stream. */
  endStream(): void {
    this.#stream?.end();
  }

  /** Throws `AgentError` for a message that is larger than the hub accepts. */
  report(dispatchId: string, body: ReportBody): void {
    const { bytes, dropped } = this.session.keep(dispatchId, body);
    this.#stream?.send(bytes);
    if (dropped === 0 || this.#isOverflowReported) return;
    this.#isOverflowReported = true;
    const message = "the outbox is full: the oldest events are dropped, then the oldest turns";
    this.#onProblem(new AgentError("BATON-SDK-014", message, { at: "the outbox" }));
  }

  /** Sends the end of an attempt again if it is not acknowledged. */
  resendEnd(dispatchId: string): void {
    const end = this.session.outbox.endOf(dispatchId);
    if (end) this.#stream?.send(end.bytes);
  }

  sendHeartbeat(heartbeat: () => AgentHeartbeat): void {
    this.#stream?.send(this.session.heartbeat(heartbeat()).bytes);
  }

  acknowledged(sequence: bigint): void {
    this.session.outbox.acknowledge(sequence);
    this.#noteAcknowledged();
  }

  refused({ sequence, error }: AttachRefused): void {
    const message = this.session.outbox.remove(sequence);
    this.#noteAcknowledged();
    const text = `the hub refused a ${message?.message.case ?? "message"}: ${error?.code} ${error?.message}`;
    const at = message?.dispatchId ? `dispatch ${message.dispatchId}` : `message ${sequence}`;
    this.#onProblem(new AgentError("BATON-SDK-013", text, { at, ...(error?.fix && { fix: error.fix }) }));
  }

  /** Resolves when nothing is unacknowledged. */
  allAcknowledged(): Promise<void> {
    return this.unacknowledged === 0 ? Promise.resolve() : this.#acknowledged.promise;
  }

  #noteAcknowledged(): void {
    if (this.unacknowledged > 0) return;
    this.#acknowledged.resolve();
    this.#acknowledged = Promise.withResolvers();
  }
}
