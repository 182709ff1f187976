import type { CancelAgentRequest, RunAgentResponseSchema, Step, TaskEnvelope } from "@baton/contract";
import type { ConfigurableHub } from "@baton/runtime";
import type { MessageInitShape } from "@bufbuild/protobuf";

/** One way from the hub to an agent, with a scripted agent at its end. */
export interface Connector {
  readonly name: string;
  readonly traits?: ConnectorTraits;
  /** Brings an agent of the pack "dev" to the hub. Resolves when it can be given work; goes away with the test. */
  connectAgent(hub: ConfigurableHub, behaviour: Behaviour): Promise<ConnectedAgent>;
}

/** Where a way differs from the others because of what it is. */
export interface ConnectorTraits {
  /** The agent ends with the hub, so what it worked on is lost and tried again. */
  readonly endsWithHub?: boolean;
  /** It says what it likes, and is judged by its answer when it has ended. */
  readonly readsAnyText?: boolean;
  /** It is stopped without a reason. */
  readonly givesNoReason?: boolean;
}

export interface ConnectedAgent {
  /** The hub was restarted: the agent, which has worked on meanwhile, makes itself known to it. */
  returnTo(hub: ConfigurableHub): Promise<void>;
}

/** What the agent does with an attempt. It reports nothing after it returns. */
export type Behaviour = (attempt: Attempt) => Promise<void>;

export type Message = NonNullable<MessageInitShape<typeof RunAgentResponseSchema>["message"]>;

/** An attempt, as the agent has it. The methods are what can go over a wire, and what can happen to one. */
export interface Attempt {
  readonly envelope: TaskEnvelope;
  readonly number: number;
  /** Resolves when the hub asks the agent to stop. */
  readonly cancelled: Promise<CancelAgentRequest>;
  say(message: Message): void;
  /** Says a step and waits until the hub has stored it: undefined then, else the code of the refusal. */
  report(step: Step): Promise<string | undefined>;
  /** The steps of earlier attempts at the same work. */
  given(): Promise<readonly Step[]>;
  /** Says bytes that are no message. */
  babble(): void;
  /** Declines the attempt for lack of capacity, as its protocol does it; nothing else is reported. */
  decline(): void;
  /** The process is gone, and another takes its place that knows nothing of this attempt. */
  die(): void;
}

/** The cancels of attempts, which may come before anybody waits for them. */
export class Cancels {
  readonly #requests = new Map<string, PromiseWithResolvers<CancelAgentRequest>>();

  of(dispatchId: string): PromiseWithResolvers<CancelAgentRequest> {
    const known = this.#requests.get(dispatchId) ?? Promise.withResolvers<CancelAgentRequest>();
    this.#requests.set(dispatchId, known);
    return known;
  }

  cancel(request: CancelAgentRequest): void {
    this.of(request.dispatchId).resolve(request);
  }
}
