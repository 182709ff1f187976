import type {
  AgentHeartbeat,
  AttachAgentRequest,
  AttachRefused,
  AttachWelcome,
  ErrorDetail,
  Step,
} from "@baton/contract";
import { AgentError } from "../agent-error.ts";
import type { OnProblem } from "../problem.ts";
import type { Sender } from "./sender.ts";
import { type ReportBody, Session } from "./session.ts";

/** Reports to the hub: at once while a stream is open, and kept until acknowledged. */
export class Reporter {
  readonly session = new Session();
  readonly #onProblem: OnProblem;
  /** Steps that wait for an acknowledgement. */
  readonly #steps = new Map<AttachAgentRequest, PromiseWithResolvers<void>>();
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
    this.#noteStored();
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

  /** Resolves when the step is durable at the hub. Rejects with `AgentError` when it is refused. */
  reportStep(dispatchId: string, value: Step): Promise<void> {
    const { message, bytes } = this.session.keep(dispatchId, { case: "step", value });
    const stored = Promise.withResolvers<void>();
    this.#steps.set(message, stored);
    this.#stream?.send(bytes);
    return stored.promise;
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
    for (const message of this.session.outbox.acknowledge(sequence)) this.#settleStep(message);
    this.#noteAcknowledged();
  }

  refused({ sequence, error }: AttachRefused): void {
    const message = this.session.outbox.remove(sequence);
    this.#noteAcknowledged();
    if (message && this.#settleStep(message, stepRefused(message, error))) return;
    const text = `the hub refused a ${message?.message.case ?? "message"}: ${error?.code} ${error?.message}`;
    const at = message?.dispatchId ? `dispatch ${message.dispatchId}` : `message ${sequence}`;
    this.#onProblem(new AgentError("BATON-SDK-013", text, { at, ...(error?.fix && { fix: error.fix }) }));
  }

  /** Resolves when nothing is unacknowledged. */
  allAcknowledged(): Promise<void> {
    return this.unacknowledged === 0 ? Promise.resolve() : this.#acknowledged.promise;
  }

  /** A resumed session acknowledges with its welcome. */
  #noteStored(): void {
    for (const message of [...this.#steps.keys()])
      if (!this.session.outbox.has(message)) this.#settleStep(message);
  }

  /** Whether it is a step that someone waits for. */
  #settleStep(message: AttachAgentRequest, refused?: AgentError): boolean {
    const waiting = this.#steps.get(message);
    if (!waiting) return false;
    this.#steps.delete(message);
    if (refused) waiting.reject(refused);
    else waiting.resolve();
    return true;
  }

  #noteAcknowledged(): void {
    if (this.unacknowledged > 0) return;
    this.#acknowledged.resolve();
    this.#acknowledged = Promise.withResolvers();
  }
}

function stepRefused({ message }: AttachAgentRequest, error: ErrorDetail | undefined): AgentError {
  const name = message.case === "step" ? message.value.name : "";
  const text = `the hub refused the step "${name}": ${error?.code} ${error?.message}`;
  return new AgentError("BATON-SDK-020", text, { at: `step ${name}`, ...(error?.fix && { fix: error.fix }) });
}
