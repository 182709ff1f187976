import {
  type AgentResult,
  type AttachAgentRequest,
  type CancelOutcome,
  CancelReason,
  type TaskEnvelope,
} from "@baton/contract";
import type { AgentUnderTest, Attempt, DispatchOptions, End, Profile } from "./agent-under-test.ts";
import { Failed } from "./failed.ts";
import type { AgentStream } from "./hub/agent-stream.ts";
import type { HubSide } from "./hub/hub-side.ts";
import { withNewerFields } from "./newer-fields.ts";
import { idsOf } from "./tasks.ts";

interface Held {
  readonly results: AgentResult[];
  readonly cancelled: CancelOutcome[];
}

/** An agent that dials: the suite is the hub that it attaches to. */
export class AttachedAgent implements AgentUnderTest {
  readonly transport = "attached";
  readonly hub: HubSide;
  readonly patienceMs: number;
  readonly #held = new Map<string, Held>();

  constructor(hub: HubSide, patienceMs: number) {
    this.hub = hub;
    this.patienceMs = patienceMs;
    hub.onReceived = (request, isRepeated) => this.#receive(request, isRepeated);
  }

  get profile(): Profile {
    const { manifest, heartbeat } = this.hub.streams[0]?.hello ?? {};
    const taskTypes = manifest?.supportedTaskTypes ?? [];
    return { manifest, heartbeat, taskTypes, capacity: heartbeat?.capacity?.maxTasks ?? 0 };
  }

  async ready(withinMs = this.patienceMs): Promise<void> {
    this.hub.acknowledges = true;
    this.hub.refusal = undefined;
    this.hub.welcomeAfterMs = 0;
    await this.hub.bell.until(withinMs, "an agent that is attached", () => this.hub.stream);
  }

  /** The open stream, which is there while no case has cut it. */
  get stream(): AgentStream {
    const { stream } = this.hub;
    if (!stream) throw new Failed("an agent that stays attached", "no open stream");
    return stream;
  }

  dispatch(envelope: TaskEnvelope, { hasNewerFields = false }: DispatchOptions = {}): Attempt {
    const { dispatchId } = idsOf(envelope);
    const held = this.#heldFor(dispatchId);
    this.stream.say({ case: "dispatch", value: hasNewerFields ? withNewerFields(envelope) : envelope });
    const ended = (): End | undefined => {
      const [result] = held.results;
      return result && { kind: "result", result };
    };
    return {
      envelope,
      results: held.results,
      get ended() {
        return ended();
      },
      end: () => this.#until(`a result of ${dispatchId}`, ended),
    };
  }

  async cancel(envelope: TaskEnvelope): Promise<CancelOutcome> {
    const { dispatchId, attemptNumber } = idsOf(envelope);
    const { cancelled } = this.#heldFor(dispatchId);
    const before = cancelled.length;
    this.stream.say({ case: "cancel", value: { dispatchId, attemptNumber, reason: CancelReason.ABORTED } });
    return this.#until(`an answer to the cancel of ${dispatchId}`, () => cancelled[before]);
  }

  /** Cuts the connection. Resolves with the stream that the agent then opens, once it is welcomed there. */
  async reopened(): Promise<AgentStream> {
    this.hub.cut();
    return this.opened();
  }

  async opened(): Promise<AgentStream> {
    return this.#until("the agent to open its stream again", () => this.hub.stream);
  }

  /** Resolves with the number under which an attempt's result comes on a stream. */
  async resultOn(stream: AgentStream, envelope: TaskEnvelope): Promise<bigint> {
    const { dispatchId } = idsOf(envelope);
    return this.#until(`the result of ${dispatchId} on this stream`, () => stream.sequenceOf(dispatchId));
  }

  #until<Found>(expected: string, look: () => Found | undefined): Promise<Found> {
    return this.hub.bell.until(this.patienceMs, expected, look);
  }

  #heldFor(dispatchId: string): Held {
    const held = this.#held.get(dispatchId) ?? { results: [], cancelled: [] };
    this.#held.set(dispatchId, held);
    return held;
  }

  #receive({ message, dispatchId }: AttachAgentRequest, isRepeated: boolean): void {
    if (message.case === undefined || message.case === "hello" || message.case === "heartbeat") return;
    const id = message.case === "result" ? message.value.dispatchId : dispatchId;
    const held = this.#held.get(id);
    if (!held) {
      this.hub.complaints.add(`a ${message.case} of "${id}", which it was never given`);
    } else if (!isRepeated) {
      if (message.case === "result") held.results.push(message.value);
      if (message.case === "cancelled") held.cancelled.push(message.value.outcome);
    }
  }
}
