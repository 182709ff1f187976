import type {
  AttachAgentRequest,
  AttachAgentResponse,
  AuditService,
  ExportAuditRequest,
  ExportAuditResponse,
  InspectionService,
  KnowledgeService,
  ListStepsRequest,
  ListStepsResponse,
  OrchestratorService,
  RegistryService,
  WatchEventsRequest,
  WatchEventsResponse,
} from "@baton/contract";
import type { DescMessage, DescService, MessageShape } from "@bufbuild/protobuf";
import type { Caller } from "../ports/caller.ts";
import type { ChangeHint } from "../watch/change-hints.ts";
import type { EventList } from "../watch/visible-events.ts";
import type { GovernedTasks } from "./governed-tasks.ts";

interface UnaryMethod<Input extends DescMessage, Output extends DescMessage> {
  readonly methodKind: "unary";
  readonly input: Input;
  readonly output: Output;
}

/** The unary methods of a service, called by an authenticated caller. */
type UnaryCalls<Service extends DescService> = {
  [Name in keyof Service["method"] as Service["method"][Name] extends UnaryMethod<DescMessage, DescMessage>
    ? Name
    : never]: Service["method"][Name] extends UnaryMethod<infer Input, infer Output>
    ? (caller: Caller, request: MessageShape<Input>) => Promise<MessageShape<Output>>
    : never;
};

/** Calls whose responses are redacted when they leave. */
export type FilteredCalls = UnaryCalls<typeof OrchestratorService> &
  Omit<UnaryCalls<typeof RegistryService>, "listSteps"> &
  UnaryCalls<typeof InspectionService> &
  UnaryCalls<typeof KnowledgeService>;

/**
 * The hub's API: the calls of the contract's services. Requests have been validated and callers authenticated. Each call
 * throws `HubError` and resolves when its result is durable.
 */
export interface Hub extends FilteredCalls, UnaryCalls<typeof AuditService> {
  /** Not redacted: the values return to the work that made them. */
  listSteps(caller: Caller, request: ListStepsRequest): Promise<ListStepsResponse>;
  /** Governed tasks in the dialect of SAP. */
  readonly sap: GovernedTasks;
  /** Tenants that are stopped. */
  stoppedTenants(): readonly string[];
  /** Ends when the signal fires, the watcher is too slow, or the hub closes. */
  watchEvents(
    caller: Caller,
    request: WatchEventsRequest,
    signal: AbortSignal,
  ): AsyncIterable<WatchEventsResponse>;
  /** The same in lists. Watchers of everything share the list objects, so that encoders can cache their output. */
  watchTogether(caller: Caller, request: WatchEventsRequest, signal: AbortSignal): AsyncIterable<EventList>;
  /** Notifies the listener of stored changes that the caller may see; returns the function that removes it. */
  onChangeHint(caller: Caller, listener: (changeHint: ChangeHint) => void): () => void;
  /**
   * Both directions of an agent's stream. Each message is validated; an invalid one is rejected without closing the
   * stream.
   */
  attachAgent(
    caller: Caller,
    requests: AsyncIterable<AttachAgentRequest>,
    signal: AbortSignal,
  ): AsyncIterable<AttachAgentResponse>;
  /** Pieces of a file; the export is a snapshot of its start. */
  exportAudit(caller: Caller, request: ExportAuditRequest): AsyncIterable<ExportAuditResponse>;

  /** The reason why no new work is accepted; undefined when it is. */
  whyNotReady(): string | undefined;
  /** Warnings about the audit record, without names of tenants or paths. */
  recordWarnings(): readonly string[];
  /**
   * Stops accepting work and notifies agents; waits up to `graceMs` for running attempts; then stores what was received
   * and closes. Unfinished work continues after the restart.
   */
  drain(graceMs: number): Promise<void>;
}
