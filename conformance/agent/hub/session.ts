import type { AttachAgentRequest } from "@baton/contract";
import type { Complaints } from "../complaints.ts";
import { SessionNumbers } from "./session-numbers.ts";

/** The hub's memory of an agent across its streams: one session at a time. */
export class HubSession {
  /** The last acknowledged message. */
  acknowledged = 0n;
  readonly #complaints: Complaints;
  #numbers = new SessionNumbers();
  #id = "";
  #count = 0;

  constructor(complaints: Complaints) {
    this.#complaints = complaints;
  }

  get id(): string {
    return this.#id;
  }

  /** Goes on with the session that hello names, or begins a new one. */
  greet(hello: AttachAgentRequest, resumeSessionId: string): void {
    if (resumeSessionId !== "" && resumeSessionId === this.#id) {
      this.note(hello);
      return;
    }
    const isFirst = resumeSessionId === "";
    if (isFirst && hello.sequence !== 1n) this.#complaints.add(`a first hello has number ${hello.sequence}`);
    this.#id = `session-${++this.#count}`;
    this.acknowledged = 0n;
    this.#numbers = new SessionNumbers();
  }

  /** Returns whether this message was received before. */
  note(request: AttachAgentRequest): boolean {
    const { isRepeated, complaint } = this.#numbers.note(request);
    if (complaint !== undefined) this.#complaints.add(complaint);
    return isRepeated;
  }

  /** It is lost: the next hello begins a new one. */
  forget(): void {
    this.#id = "";
  }
}
