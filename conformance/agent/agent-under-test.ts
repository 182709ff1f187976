import type {
  AgentHeartbeat,
  AgentManifest,
  AgentResult,
  CancelOutcome,
  TaskEnvelope,
} from "@baton/contract";

export type Transport = "attached" | "grpc" | "http-json";

/** How an attempt ended, as its caller sees it. */
export type End =
  | { readonly kind: "result"; readonly result: AgentResult }
  /** It was stopped; there is no result. */
  | { readonly kind: "cancelled" }
  /** It was not taken, and the same call would be refused again. */
  | { readonly kind: "refused"; readonly why: string }
  /** Anything that the protocol does not know. */
  | { readonly kind: "broken"; readonly why: string };

/** One attempt at the agent. */
export interface Attempt {
  readonly envelope: TaskEnvelope;
  /** Its answers; the same one sent again is not another one. */
  readonly results: readonly AgentResult[];
  /** Undefined while it goes on. */
  readonly ended: End | undefined;
  /** Throws `Failed` when the agent takes too long. */
  end(): Promise<End>;
}

export interface DispatchOptions {
  /** Adds fields that this contract does not know. */
  readonly hasNewerFields?: boolean;
}

/** What is known of the agent before it is given work. */
export interface Profile {
  /** Undefined when it was called by its address and did not register. */
  readonly manifest: AgentManifest | undefined;
  readonly heartbeat: AgentHeartbeat | undefined;
  readonly taskTypes: readonly string[];
  readonly capacity: number;
}

/** The agent, whichever way it is reached. The cases that all agents have to pass know no more of it. */
export interface AgentUnderTest {
  readonly transport: Transport;
  readonly patienceMs: number;
  readonly profile: Profile;
  /** Resolves when it can be given work. Throws `Failed` when that takes too long. */
  ready(withinMs?: number): Promise<void>;
  dispatch(envelope: TaskEnvelope, options?: DispatchOptions): Attempt;
  cancel(envelope: TaskEnvelope): Promise<CancelOutcome>;
}
