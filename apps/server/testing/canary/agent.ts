import {
  type AgentManifestSchema,
  AgentResultSchema,
  ArtifactAction,
  type AttachAgentRequestSchema,
  AttachAgentResponseSchema,
  EventSchema,
  Outcome,
  RegistryService,
  ResponseStatus,
  type TaskEnvelope,
  TaskEnvelopeSchema,
  TurnEnvelopeSchema,
} from "@baton/contract";
import { resultFor } from "@baton/kernel/testing";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampNow } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import type { Capture } from "./capture.ts";
import { leaveWork } from "./leave-work.ts";
import type { Planter } from "./plant.ts";

type Report = Exclude<MessageInitShape<typeof AttachAgentRequestSchema>["message"], undefined>;
type Result = Partial<MessageInitShape<typeof AgentResultSchema>>;

export interface Identity {
  readonly manifest: MessageInitShape<typeof AgentManifestSchema>;
  readonly heartbeat: Extract<Report, { case: "heartbeat" }>["value"];
}

/** The lease of the agent, and the interval of its heartbeats. */
export const leaseMs = 30_000;
const beatMs = leaseMs / 3;

/** An agent on a real stream that fills every field it has with canaries. The title of a task says how it behaves. */
export class CanaryAgent {
  readonly #planter: Planter;
  readonly #capture: Capture;
  readonly #reportsTurns: boolean;
  readonly #sessions: Http2SessionManager;
  readonly #leave = new AbortController();
  readonly #beating: NodeJS.Timeout;
  readonly #queue: MessageInitShape<typeof AttachAgentRequestSchema>[] = [];
  #wake: () => void = () => {};
  #sequence = 0n;
  readonly ended: Promise<void>;

  /** Without turns, nothing is in the one table that holds texts as reported. */
  constructor(grpc: string, identity: Identity, planter: Planter, capture: Capture, reportsTurns = true) {
    this.#reportsTurns = reportsTurns;
    this.#planter = planter;
    this.#capture = capture;
    this.#sessions = new Http2SessionManager(grpc);
    const transport = createGrpcTransport({ baseUrl: grpc, sessionManager: this.#sessions });
    const { manifest, heartbeat } = identity;
    this.say({ case: "hello", value: { manifest, heartbeat } });
    // Without it the lease of an agent ends on a slow machine, and what is left of the story waits for nobody.
    this.#beating = setInterval(() => this.say({ case: "heartbeat", value: heartbeat }), beatMs).unref();
    this.ended = this.#listen(createClient(RegistryService, transport)).catch((thrown: unknown) =>
      capture.error("error AttachAgent", thrown),
    );
  }

  say(message: Report, dispatchId = ""): void {
    this.#queue.push({ sequence: ++this.#sequence, dispatchId, message });
    this.#wake();
  }

  leave(): void {
    clearInterval(this.#beating);
    this.#leave.abort();
    this.#wake();
    this.#sessions.abort();
  }

  async #listen(client: ReturnType<typeof createClient<typeof RegistryService>>): Promise<void> {
    for await (const response of client.attachAgent(this.#requests(), { signal: this.#leave.signal })) {
      const { message } = response;
      if (message.case !== "dispatch") {
        // The agent's own name and that of its attempt come back as they are.
        if (message.case === "cancel") this.#capture.add("agent cancel", message.value.explanation);
        else this.#capture.message(`agent ${message.case}`, AttachAgentResponseSchema, response);
        continue;
      }
      this.#capture.message("agent dispatch", TaskEnvelopeSchema, besideTheTask(message.value));
      this.#capture.message("agent inputs", TaskEnvelopeSchema, inputsAlone(message.value));
      this.#work(message.value);
    }
  }

  async *#requests() {
    while (!this.#leave.signal.aborted) {
      const next = this.#queue.shift();
      if (next) yield next;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  #work(envelope: TaskEnvelope): void {
    const [, behaviour = "succeed"] = /^scene-(\w+)/.exec(envelope.contract?.title ?? "") ?? [];
    const isAgain = (envelope.execution?.attemptNumber ?? 1) > 1 || envelope.clarifications.length > 0;
    switch (isAgain && !["hang", "work"].includes(behaviour) ? "succeed" : behaviour) {
      case "hang":
        return;
      case "fail":
        return this.#answer(envelope, { outcome: Outcome.NON_RETRYABLE_FAILURE });
      case "block":
        return this.#answer(envelope, { outcome: Outcome.POLICY_BLOCKED });
      case "retry":
        return this.#answer(envelope, { outcome: Outcome.RETRYABLE_FAILURE });
      case "lie":
        return this.#answer(
          envelope,
          { outcome: Outcome.SUCCESS },
          { taskId: this.#planter.word("a wrong task") },
        );
      case "ask":
      case "propose":
        return this.#answer(
          envelope,
          { outcome: Outcome.PARTIAL },
          {
            ...(behaviour === "ask" && { budgetNeeded: undefined, approvalNeeded: undefined }),
            response: {
              status: ResponseStatus.CLARIFICATION_NEEDED,
              message: this.#planter.text("a question"),
              thought: this.#planter.text("a thought"),
            },
          },
        );
      case "work": {
        this.#narrate(envelope);
        const path = leaveWork(envelope.workspace?.path ?? "", this.#planter);
        const artifacts = [{ path, action: ArtifactAction.CREATED }];
        return this.#answer(envelope, { outcome: Outcome.SUCCESS }, { artifacts } as Result);
      }
      default:
        this.#narrate(envelope);
        return this.#answer(envelope, { outcome: Outcome.SUCCESS });
    }
  }

  #answer(envelope: TaskEnvelope, status: { outcome: Outcome }, more: Result = {}): void {
    const planted = this.#planter.message(AgentResultSchema) as MessageInitShape<typeof AgentResultSchema>;
    const { protocolVersion, trace, taskId, dispatchId, attemptNumber } = resultFor(envelope);
    const result = create(AgentResultSchema, {
      ...planted,
      ...{ protocolVersion, trace, taskId, dispatchId, attemptNumber },
      ...more,
    } as MessageInitShape<typeof AgentResultSchema>);
    result.timing = undefined;
    if (result.status) result.status.outcome = status.outcome;
    if (!more.response) result.response = undefined;
    this.say({ case: "result", value: result });
  }

  /** Thoughts, tools and lines, with secrets across two of them. */
  #narrate(envelope: TaskEnvelope): void {
    const dispatchId = envelope.execution?.dispatchId ?? "";
    const secret = this.#planter.word("a thought in two chunks");
    const half = Math.floor(secret.length / 2);
    const report = (payload: Record<string, unknown>) =>
      this.say(
        {
          case: "event",
          value: create(EventSchema, { eventId: crypto.randomUUID(), sessionId: "s", payload } as never),
        },
        dispatchId,
      );
    const think = (chunk: string, isFinal: boolean) =>
      report({ case: "thoughtStream", value: { agentId: 3, turnIndex: 0, chunk, isFinal } });
    think(`I will use ${secret.slice(0, half)}`, false);
    think(`${secret.slice(half)} for it\n${this.#planter.text("a thought")}`, false);
    think("", true);
    const lines = Array.from({ length: 8 }, () => this.#planter.text("a line of a terminal"))
      .join("\n")
      .split("\n");
    for (const line of lines)
      report({ case: "sandboxPulse", value: { line, masked: false, timestamp: timestampNow() } });
    for (const arm of ["tool_invoked", "tool_completed", "task_transition"]) {
      const planted = this.#planter.message(EventSchema, { payload: arm }) as MessageInitShape<
        typeof EventSchema
      >;
      const event = create(EventSchema, { ...planted, eventId: crypto.randomUUID() } as never);
      this.say({ case: "event", value: event }, dispatchId);
    }
    if (!this.#reportsTurns) return;
    const turn = this.#planter.message(TurnEnvelopeSchema) as MessageInitShape<typeof TurnEnvelopeSchema>;
    this.say({ case: "turn", value: create(TurnEnvelopeSchema, turn) }, dispatchId);
    // The same in a version that can be read: it is kept, and shown to those who ask for it.
    const metadata = { ...turn.metadata, version: "1.0.0" } as typeof turn.metadata;
    this.say(
      { case: "turn", value: create(TurnEnvelopeSchema, { ...turn, metadata } as typeof turn) },
      dispatchId,
    );
  }
}

/** What of an envelope has to be clean: what the submitter asks for travels as it was written (docs/reference/egress.md). */
export function besideTheTask({ contextIn, reviewFeedback }: TaskEnvelope): TaskEnvelope {
  return create(TaskEnvelopeSchema, {
    ...(contextIn && { contextIn }),
    ...(reviewFeedback && { reviewFeedback }),
  });
}

/** Data of earlier stages, in which personal data may stay. */
export function inputsAlone({ inputs }: TaskEnvelope): TaskEnvelope {
  return create(TaskEnvelopeSchema, { ...(inputs && { inputs }) });
}
