import type {
  AgentResult,
  Artifact,
  Escalation,
  EventRecord,
  Pipeline,
  SubmitTaskRequestSchema,
  Usage,
} from "@baton/contract";
import type { JsonObject, MessageInitShape } from "@bufbuild/protobuf";

export interface ConnectOptions {
  /** The hub's gRPC address. Default: BATON_HUB, else `http://127.0.0.1:7433`. */
  readonly hub?: string;
  /** The API key, or the operator token of a hub without keys. Default: BATON_API_KEY, else none. */
  readonly key?: string;
  /** Deadline of each call. Default: 30 seconds. */
  readonly callTimeoutMs?: number;
  /** How long the hub may be away before a call or a wait fails. Default: 5 minutes. */
  readonly outageMs?: number;
}

/** A connection, which is opened with the first call. */
export interface Hub {
  /** Starts a template or a workflow by its id, or a single task by its type. Repeated until the hub has it, which takes it once. */
  run<Data extends JsonObject = JsonObject>(
    work: string | { readonly taskType: string },
    options: RunOptions,
  ): Promise<Run<Data>>;
  /** A run that was started before. It need not exist. */
  get<Data extends JsonObject = JsonObject>(runId: string): Run<Data>;
  /** Open questions to people, of all runs. */
  questions(): Promise<readonly Question[]>;
  close(): void;
}

type TaskFields = Extract<MessageInitShape<typeof SubmitTaskRequestSchema>, { readonly $typeName?: never }>;

export interface RunOptions {
  readonly title: string;
  /** Acceptance criteria. */
  readonly accept: readonly string[];
  readonly inputs?: JsonObject;
  /** The same key with the same work is one run, also of another process. Default: a new one for each call of `run`. */
  readonly key?: string;
  /** Further fields of SubmitTaskRequest. */
  readonly task?: Omit<TaskFields, "plan" | "idempotencyKey" | "inputs" | "contract">;
}

export interface WaitOptions {
  /** Ends the waiting, not the run. */
  readonly signal?: AbortSignal;
}

export interface Run<Data extends JsonObject = JsonObject> {
  readonly id: string;
  /** As it is now. */
  state(): Promise<Pipeline>;
  /**
   * Waits for its end. Throws `ClientError` BATON-CLIENT-005 when it failed or was aborted. A run that waits for a person is
   * waited for.
   */
  result(options?: WaitOptions): Promise<RunResult<Data>>;
  /** Every event once and in order, from the first to the end of the run. */
  events(options?: WaitOptions): AsyncIterable<EventRecord>;
  /** Its open questions. */
  questions(): Promise<readonly Question[]>;
  /** Ends the run. */
  cancel(reason: string): Promise<void>;
}

export interface RunResult<Data extends JsonObject = JsonObject> {
  /** Of the last completed stage that answered with data; empty without one. */
  readonly data: Data;
  /** Of all stages. */
  readonly files: readonly Artifact[];
  readonly cost: Usage | undefined;
  /** Results of completed stages by stage id; the hub leaves out those that do not fit into one answer. */
  readonly stages: Readonly<Record<string, AgentResult>>;
  readonly run: Pipeline;
}

/** A question to a person. */
export interface Question {
  readonly id: string;
  readonly runId: string;
  readonly problem: string;
  /** The accepted answers; empty where any text is one. */
  readonly options: readonly string[];
  readonly escalation: Escalation;
  answer(resolution: string, reason?: string): Promise<void>;
}
