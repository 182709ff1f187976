import {
  type CancelAgentRequest,
  CancelOutcome,
  type RunAgentResponse,
  RunAgentResponseSchema,
  type TaskEnvelope,
} from "@baton/contract";
import type { Hub } from "@baton/runtime";
import { create } from "@bufbuild/protobuf";
import { type Behaviour, Cancels } from "./connector.ts";
import { StepCalls } from "./reported-steps.ts";
import { Transcript } from "./transcript.ts";

export type Utterance = RunAgentResponse | "babble" | "no room";

/** A scripted agent that is called. The same dispatch_id is run once; a second caller receives the same. */
export class PushedAgent {
  readonly #behaviour: Behaviour;
  readonly #die: () => void;
  readonly #hub: () => Hub;
  readonly #cancels = new Cancels();
  readonly #transcripts = new Map<string, Transcript<Utterance>>();

  constructor(behaviour: Behaviour, die: () => void, hub: () => Hub) {
    this.#behaviour = behaviour;
    this.#hub = hub;
    this.#die = die;
  }

  run(envelope: TaskEnvelope): Transcript<Utterance> {
    const { dispatchId = "", attemptNumber = 0 } = envelope.execution ?? {};
    const known = this.#transcripts.get(dispatchId);
    if (known) return known;
    const messages = new Transcript<Utterance>();
    this.#transcripts.set(dispatchId, messages);
    const calls = new StepCalls(this.#hub, envelope);
    void this.#behaviour({
      envelope,
      number: attemptNumber,
      cancelled: this.#cancels.of(dispatchId).promise,
      say: (message) => messages.push(create(RunAgentResponseSchema, { message })),
      report: (step) => calls.report(step),
      given: () => calls.given(),
      babble: () => messages.push("babble"),
      decline: () => messages.push("no room"),
      die: this.#die,
    }).finally(() => messages.end());
    return messages;
  }

  cancel(request: CancelAgentRequest): CancelOutcome {
    this.#cancels.cancel(request);
    return CancelOutcome.STOPPED;
  }
}
